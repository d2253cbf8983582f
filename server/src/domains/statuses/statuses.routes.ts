import { statuses } from '@karvon/contract/statuses/statuses.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { lockStatusesExclusive } from '../leads/leads.status-lock.queries.ts'
import { statusRecountSql } from './statuses.recount.queries.ts'

export function statusesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: statuses,
    extraColumns: { recount: statusRecountSql },
    beforeLock: async ({ trx, body }) => {
      // With another type, the leads of the status count in another column of the reports.
      if (body.type_id !== undefined) await lockStatusesExclusive(trx)
    },
  })
}
