import { roleSourceAccess } from '@karvon/contract/role-source-access/role-source-access.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import { nextUpdatedAt } from '../../platform/database/conflict.ts'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'

/** A change of access also updates `updated_at` of the role, because the form of the role contains its sources. */
export function roleSourceAccessRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, roleSourceAccess, {
    afterWrite: async ({ trx, body, old }) => {
      await touchRoles(trx, [body.role_id, old?.role_id])
      return undefined
    },
    beforeDelete: (trx, { role_id }) => touchRoles(trx, [role_id]),
  })
}

async function touchRoles(trx: Db, ids: readonly unknown[]): Promise<void> {
  const roles = ids.filter((id) => typeof id === 'number')
  await trx
    .updateTable('roles')
    .set({ updated_at: nextUpdatedAt })
    .where('id', 'in', [0, ...roles])
    .execute()
}
