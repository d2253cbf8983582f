import { roles } from '@karvon/contract/roles/roles.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { lockAdmins, refuseWithoutAdmin } from '../../platform/security/last-admin.ts'
import { refuseLookAlike } from '../../platform/security/usernames.ts'
import { setSources } from './roles.store.ts'

/** `id` is the source's: the web takes either spelling. */
const sources = `(select coalesce(json_agg(json_build_object('id', s.id, 'source_id', s.id, 'name', s.name)
  order by s.name, s.id), '[]') from role_source_access a join cpa_sources s on s.id = a.source_id where a.role_id = t.id)`

/** Roles with the sources that they may see. A change counts at once for whoever has the role. */
export function rolesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, roles, {
    extra: { sources },
    before: async ({ trx, body }) => {
      if (body.code !== undefined) await lockAdmins(trx)
    },
    columns: async ({ trx, body, old }) => {
      if (body.code !== undefined && body.code !== old?.code) {
        const id = old === null ? null : Number(old.id)
        await refuseLookAlike(trx, body.code, { table: 'roles', field: 'code', label: 'Code', id })
      }
      return {}
    },
    written: async ({ trx, body, old, id }) => {
      if (old !== null && body.code !== undefined) await refuseWithoutAdmin(trx)
      return body.source_ids === undefined ? undefined : setSources(trx, id, body.source_ids ?? [])
    },
    committed: () => deps.identities.forget(),
  })
}
