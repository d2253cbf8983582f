import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { offers } from '@karvon/contract/offers/offers.ts'
import type { FastifyInstance } from 'fastify'
import type { Hooks } from '../../resources/crud.hooks.ts'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { isMasterOffer, lockMasterOffers } from './offers.queries.ts'

interface OfferChange {
  master_offer_id?: number | null
}

export function offersRoutes(app: FastifyInstance, deps: Deps): void {
  const hooks: Hooks<OfferChange> = {
    beforeLock: async ({ trx, body }) => {
      if (typeof body.master_offer_id === 'number') await lockMasterOffers(trx)
    },
    computeColumns: async ({ trx, body: { master_offer_id: masterId }, oldRow }) => {
      if (oldRow === null || typeof masterId !== 'number') return {}
      if (await isMasterOffer(trx, { id: Number(oldRow.id), masterId }))
        throw invalid([fieldError('master_offer_id', 'own_master_offer')])
      return {}
    },
  }
  crud(app, deps, { resource: offers, ...hooks })
}
