import { roleSourceAccess } from '@karvon/contract/role-source-access/role-source-access.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import { touched } from '../../platform/database/conflict.ts'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'

/** A role's form holds its sources too, so that the role tells when they were changed here. */
export function roleSourceAccessRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, roleSourceAccess, {
    written: async ({ trx, body, old }) => {
      await touchRoles(trx, [body.role_id, old?.role_id])
      return undefined
    },
    removing: (trx, { role_id }) => touchRoles(trx, [role_id]),
  })
}

async function touchRoles(trx: Db, ids: readonly unknown[]): Promise<void> {
  const roles = ids.filter((id) => typeof id === 'number')
  await trx
    .updateTable('roles')
    .set({ updated_at: touched })
    .where('id', 'in', [0, ...roles])
    .execute()
}
