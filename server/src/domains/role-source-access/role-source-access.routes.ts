import { roleSourceAccess } from '@karvon/contract/role-source-access/role-source-access.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { touchRoles } from './role-source-access.queries.ts'

/** A change of access also updates `updated_at` of the role, because the form of the role contains its sources. */
export function roleSourceAccessRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: roleSourceAccess,
    afterWrite: async ({ trx, body, oldRow }) => {
      await touchRoles(trx, toIds([body.role_id, oldRow?.role_id]))
      return undefined
    },
    beforeDelete: (trx, { role_id }) => touchRoles(trx, toIds([role_id])),
  })
}

const toIds = (values: readonly unknown[]) => values.filter((id) => typeof id === 'number')
