import { statuses } from '@karvon/contract/statuses/statuses.ts'
import type { FastifyInstance } from 'fastify'
import { changesField } from '../../resources/crud.hooks.ts'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { lockStatusesExclusive } from '../leads/leads.status-lock.queries.ts'
import { checkAllLeadsForStatus } from '../parcels/parcels.late-leads.queries.ts'
import { statusRecountSql } from './statuses.recount.queries.ts'

export function statusesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: statuses,
    extraColumns: { recount: statusRecountSql },
    beforeLock: async ({ trx, body }) => {
      // With another type, the leads of the status count in another column of the reports. Outcomes of parcels need an active status.
      if (body.type_id !== undefined || body.is_active !== undefined) await lockStatusesExclusive(trx)
    },
    afterWrite: async (writing) => {
      if (changesField(writing, 'type_id', 'is_active')) await checkAllLeadsForStatus(writing.trx, writing.id)
      return undefined
    },
    afterCommit: () => {
      deps.jobTrigger.emit('late-leads')
    },
  })
}
