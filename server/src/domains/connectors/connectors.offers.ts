import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { NetworkError, type Network } from '../../integrations/cpa-network/cpa-network.ts'
import type { Db } from '../../platform/database/pool.ts'
import { lockSourceNames } from './source-names.ts'
import { readOffers } from './connectors.rows.ts'
import { storeOffers, unknownOffers } from './connectors.store.ts'

/** Offers that one run asks for one by one; the others come with the next. */
const most = 20

/** Looks up the offers that rows name by the network's id and nobody here knows. */
export type FindOffers = (rows: readonly { offer_extra_id: string | null }[]) => Promise<void>

/**
 * Networks take offers off their list that orders still name. Where the description says how one offer is asked
 * for, those are: each once a run. One that is not to be had leaves the rows as they are.
 */
export function offerFinder(
  db: Db,
  sourceId: number,
  description: ConnectorDescription,
  network: Network,
  counted: (stored: number) => Promise<void>,
): FindOffers {
  const how = description.offer
  const asked = new Set<string>()
  if (how === undefined) return async () => {}
  return async (rows) => {
    const named = new Set(
      rows.flatMap(({ offer_extra_id: id }) => (id === null || asked.has(id) ? [] : [id])),
    )
    for (const id of await unknownOffers(db, sourceId, [...named])) {
      if (asked.size >= most) break
      asked.add(id)
      const found = await network.offer(id).catch((error: unknown) => {
        if (error instanceof NetworkError && error.kind === 'trouble') return undefined
        throw error
      })
      if (found === undefined) continue
      const offers = readOffers(description, how, [found]).rows.filter(({ extra_id }) => extra_id === id)
      const stored = await db.transaction().execute(async (trx) => {
        await lockSourceNames(trx, sourceId)
        return storeOffers(trx, sourceId, offers)
      })
      await counted(stored)
    }
  }
}
