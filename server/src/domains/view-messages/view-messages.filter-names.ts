import { dimensionNames } from '@karvon/contract/explore/explore.dimensions.ts'
import { exploreCall, type ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import { joinFilter } from '@karvon/contract/lib/filter-values.ts'
import type { Db } from '../../platform/database/pool.ts'
import { CallRefusedError, type ReceiverCall, type ReceiverCalls } from './view-messages.calls.ts'
import { readRowNames, type Reference } from './view-messages.filter-names.queries.ts'

/** Reads the names of rows by their ids. A row that the receiver may not see has none. */
export type ReadNames = (reference: Reference, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** A person gets the names that their own screen of Explore shows, so those of their leads. An admin gets all names. */
export function createNameReader(
  { db, calls }: { db: Db; calls: ReceiverCalls },
  { userId, isAdmin }: { userId: number; isAdmin: boolean },
): ReadNames {
  if (isAdmin) return (reference, ids) => readRowNames(db, reference, ids)
  return async (reference, ids) => {
    const rows = dimensionNames.find((name) => name === reference)
    if (rows === undefined || ids.length === 0) return new Map()
    const query = { rows, [rows]: joinFilter(ids, 'number'), top_rows: ids.length }
    return readOwnNames(calls, { userId, query })
  }
}

async function readOwnNames(
  calls: ReceiverCalls,
  question: Pick<ReceiverCall, 'userId' | 'query'>,
): Promise<ReadonlyMap<string, string>> {
  try {
    const answer = (await calls.read({ ...question, call: exploreCall('user') })) as ExploreAnswer
    return new Map(
      answer.meta.row_totals.flatMap(({ member: { key, name } }) =>
        key === null || name === null ? [] : [[key, name] as const],
      ),
    )
  } catch (error) {
    // Without names a message is still of use.
    if (error instanceof CallRefusedError) return new Map()
    throw error
  }
}
