import { roleSourceAccess } from '@karvon/contract/role-source-access/role-source-access.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'

export function roleSourceAccessRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, roleSourceAccess)
}
