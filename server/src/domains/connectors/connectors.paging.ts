import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { isDeepStrictEqual } from 'node:util'
import { NetworkError } from '../../integrations/cpa-network/cpa-network.error.ts'
import type { Network, NetworkList, NetworkPage } from '../../integrations/cpa-network/cpa-network.ts'

export interface PagingOptions {
  network: Network
  list: NetworkList
  /** The page to start with; undefined for the first page. */
  cursor: string | undefined
  /** Query parameters in addition to those of the description. */
  query?: Readonly<Record<string, string>>
  maxPages: number
  /** True after a page if the reading should continue in a later run. */
  shouldPause(): Promise<boolean>
  /** Called before each page with the number of the page in this call, from 1. */
  beforePage(page: number): Promise<void>
  /** Stores a page. Answers false to stop reading. */
  storePage(items: unknown[]): Promise<boolean>
  /** Saves the next page for the case that the process is killed; undefined for the first page. */
  saveCursor(cursor: string | undefined): Promise<void>
}

/**
 * Reads the pages of a list in order.
 *
 * - `end`: the list has no further page.
 * - `stopped`: `storePage` answered false.
 * - `limit`: `maxPages` pages were read.
 * - `paused`: `shouldPause` answered true.
 *
 * In the last three cases the cursor of the next page is saved.
 *
 * A saved cursor that the network rejects (because it expired, for instance) is deleted, so that the next call starts
 * at the first page. So is one after a page with the rows of an earlier page, in any order, because the network may ignore the
 * cursor, or its links may lead in a circle, and the list would have no end. Throws {@link NetworkError}.
 */
export async function readPages(options: PagingOptions): Promise<'end' | 'stopped' | 'limit' | 'paused'> {
  let { cursor } = options
  let previousPage: string[] | undefined
  // Of the pages with the numbers 1, 2, 4, 8 ... the last one. This finds a circle of any length.
  let markedPage: string[] | undefined
  for (let number = 1; ; number++) {
    await options.beforePage(number)
    const page = await options.network
      .fetchPage(options.list, cursor, options.query)
      .catch(async (error: unknown) => {
        if (cursor !== undefined && error instanceof NetworkError && error.isRejection)
          await options.saveCursor(undefined)
        throw error
      })
    const thisPage = identifyPage(page)
    if (isDeepStrictEqual(thisPage, previousPage) || isDeepStrictEqual(thisPage, markedPage)) {
      await options.saveCursor(undefined)
      throw new NetworkError('failed', describeSync('network_same_page'))
    }
    previousPage = thisPage
    if (Number.isInteger(Math.log2(number))) markedPage = thisPage
    const wantsMore = await options.storePage(page.items)
    if (page.nextCursor === null) return 'end'
    cursor = page.nextCursor
    await options.saveCursor(cursor)
    if (!wantsMore) return 'stopped'
    if (number >= options.maxPages) return 'limit'
    if (await options.shouldPause()) return 'paused'
  }
}

/** The keys of the rows in an order that does not depend on the network; of a page without rows its cursor. */
const identifyPage = ({ keys, cursor }: NetworkPage): string[] =>
  keys.length === 0 ? [cursor] : keys.map((key) => JSON.stringify(key)).toSorted()
