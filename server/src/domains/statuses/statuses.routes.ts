import { statuses } from '@karvon/contract/statuses/statuses.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { changeLeadStates } from '../leads/lead-states.ts'

export function statusesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, statuses, {
    before: async ({ trx, body }) => {
      // Of another type, its leads count in another column of the reports.
      if (body.type_id !== undefined) await changeLeadStates(trx)
    },
  })
}
