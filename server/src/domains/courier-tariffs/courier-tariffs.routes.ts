import { courierTariffs } from '@karvon/contract/courier-tariffs/courier-tariffs.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { crud } from '../../resources/crud.ts'
import { markAccountsUnchecked } from '../settlements/settlements.job.queries.ts'

/** The calls of tariffs. A change of a tariff compares the acts of its account again. */
export function courierTariffsRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: courierTariffs,
    afterWrite: async ({ trx, body, oldRow }) => {
      await markAccountsUnchecked(trx, [
        Number(oldRow?.courier_account_id ?? 0),
        body.courier_account_id ?? 0,
      ])
      return undefined
    },
    beforeDelete: (trx, row) => markAccountsUnchecked(trx, [Number(row.courier_account_id)]),
    afterCommit: () => void deps.jobTrigger.emit('settlement-differences'),
  })
}
