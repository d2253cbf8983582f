import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { offers } from '@karvon/contract/offers/offers.ts'
import type { FastifyInstance } from 'fastify'
import type { Hooks, WriteContext } from '../../resources/crud.hooks.ts'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, invalid } from '../../platform/http/errors.ts'
import { refuseTakenExtraId } from '../leads/leads.extra-ids.ts'
import { hasStreamsOfOtherSource, isMasterOffer, lockMasterOffers } from './offers.queries.ts'

interface OfferChange {
  source_id?: number
  extra_id?: string | null
  master_offer_id?: number | null
}

export function offersRoutes(app: FastifyInstance, deps: Deps): void {
  const hooks: Hooks<OfferChange> = {
    beforeLock: async ({ trx, body }) => {
      if (body.master_offer_id !== undefined) await lockMasterOffers(trx)
    },
    computeColumns: async (writing) => {
      await refuseTakenExtraId('offers', writing)
      if (writing.oldRow !== null) await checkReferences(writing, Number(writing.oldRow.id))
      return {}
    },
  }
  crud(app, deps, { resource: offers, ...hooks })
}

/** Errors: 422 if the offer would be a master offer of itself; 409 if its streams would be of another source. */
async function checkReferences({ trx, body, oldRow }: WriteContext<OfferChange>, id: number): Promise<void> {
  const { master_offer_id: masterId, source_id: sourceId } = body
  if (masterId !== undefined && masterId !== null && (await isMasterOffer(trx, { id, masterId })))
    throw invalid([fieldError('master_offer_id', 'own_master_offer')])
  if (sourceId === undefined || sourceId === oldRow?.source_id) return
  if (await hasStreamsOfOtherSource(trx, { id, sourceId }))
    throw new AppError('offer_has_streams', {}, { fields: ['source_id'] })
}
