import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { NetworkError } from '../../integrations/cpa-network/cpa-network.error.ts'
import type { Network } from '../../integrations/cpa-network/cpa-network.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { SyncRunContext } from '../syncs/syncs.kind.ts'
import { lockReferences } from '../leads/leads.references.queries.ts'
import { parseOffers } from './connectors.parse.ts'
import { storeOffers, findUnknownOffers } from './connectors.queries.ts'

/** Maximum number of single offers that one run requests. The next run requests the rest. */
const maxOfferRequests = 20

/** Fetches and stores the offers that rows refer to and that the source does not have. */
export type FetchMissingOffers = (rows: readonly { offer_extra_id: string | null }[]) => Promise<void>

interface MissingOffersDeps {
  db: Db
  run: Pick<SyncRunContext, 'addCounts' | 'store'>
  sourceId: number
  description: ConnectorDescription
  network: Network
}

/**
 * Networks remove offers from their list while orders still refer to them. If the description has the address of a
 * single offer, a run requests each missing offer once. Offers that the network does not give are skipped. After an offer that
 * it does not answer in time, the run requests no further one, because each would take half a minute.
 */
export function createMissingOffersFetch(deps: MissingOffersDeps): FetchMissingOffers {
  const { db, run, sourceId, description, network } = deps
  const { offer: offerDescription } = description
  const requestedIds = new Set<string>()
  let hasTimedOut = false
  if (offerDescription === undefined) return async () => {}
  return async (rows) => {
    const ids = new Set(
      rows.flatMap(({ offer_extra_id: id }) => (id === null || requestedIds.has(id) ? [] : [id])),
    )
    for (const id of await findUnknownOffers(db, sourceId, [...ids])) {
      if (hasTimedOut || requestedIds.size >= maxOfferRequests) break
      requestedIds.add(id)
      const fetchedOffer = await network.fetchOffer(id).catch((error: unknown) => {
        if (!(error instanceof NetworkError && error.kind === 'failed')) throw error
        hasTimedOut ||= error.isTimeout
        return undefined
      })
      if (fetchedOffer === undefined) continue
      const offers = parseOffers(description, offerDescription, [fetchedOffer]).rows.filter(
        ({ extra_id }) => extra_id === id,
      )
      const storedCount = await run.store(async (trx) => {
        await lockReferences(trx, sourceId)
        return storeOffers(trx, sourceId, offers)
      })
      await run.addCounts({ offers: storedCount })
    }
  }
}
