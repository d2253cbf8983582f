import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import type { Db } from '../../platform/database/pool.ts'
import { readLastId } from './explore.queries.ts'
import { readStatusTypes } from './explore.segments.queries.ts'

/**
 * What a lead adds to two figures of its cell, by the id of its status. The figure at `countPlaces` gets `counts`, which is 1 or 0.
 * The figure at `moneyPlaces` gets the payout times `shares`, which is 1 or 0.
 */
export interface StatusEffects {
  readonly counts: Float64Array
  readonly countPlaces: Int32Array
  readonly shares: Float64Array
  readonly moneyPlaces: Int32Array
}

/** Reads what each status adds to these figures now. The first one is the number of leads, and is not part of it. */
export async function readEffects(trx: Db, figures: readonly SumFigure[]): Promise<StatusEffects> {
  const size = (await readLastId(trx, 'status')) + 1
  const counts = new Float64Array(size)
  const countPlaces = new Int32Array(size)
  const shares = new Float64Array(size)
  const moneyPlaces = new Int32Array(size)
  for (const { id, code } of await readStatusTypes(trx)) {
    const count = figures.findIndex((figure) => figure === code)
    if (count > 0) [counts[id], countPlaces[id]] = [1, count]
    const money =
      code === 'sold' ? figures.indexOf('profit') : code === 'hold' ? figures.indexOf('hold_amount') : -1
    if (money > 0) [shares[id], moneyPlaces[id]] = [1, money]
  }
  return { counts, countPlaces, shares, moneyPlaces }
}
