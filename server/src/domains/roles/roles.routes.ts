import { roles } from '@karvon/contract/roles/roles.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { lockAdmins, refuseWithoutAdmin } from '../../platform/security/last-admin.ts'
import { refuseLookAlike } from '../../platform/security/usernames.ts'
import { setSources } from './roles.queries.ts'

/** `id` and `source_id` are the same: the web accepts both spellings. */
const sources = `(select coalesce(json_agg(json_build_object('id', s.id, 'source_id', s.id, 'name', s.name)
  order by s.name, s.id), '[]') from role_source_access a join cpa_sources s on s.id = a.source_id where a.role_id = t.id)`

/** The calls of roles with their sources. A change applies at once to all people with the role. */
export function rolesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: roles,
    extraColumns: { sources },
    beforeLock: async ({ trx, body }) => {
      if (body.code !== undefined) await lockAdmins(trx)
    },
    computeColumns: async ({ trx, body, oldRow }) => {
      if (body.code !== undefined && body.code !== oldRow?.code) {
        const id = oldRow === null ? null : Number(oldRow.id)
        await refuseLookAlike(trx, body.code, { table: 'roles', field: 'code', label: 'Code', id })
      }
      return {}
    },
    afterWrite: async ({ trx, body, oldRow, id }) => {
      if (oldRow !== null && body.code !== undefined) await refuseWithoutAdmin(trx)
      return body.source_ids === undefined ? undefined : setSources(trx, id, body.source_ids ?? [])
    },
    afterCommit: () => deps.identities.invalidate(),
  })
}
