import { NetworkError, type Network, type NetworkList } from '../../integrations/cpa-network/cpa-network.ts'

export interface Walk {
  network: Network
  list: NetworkList
  /** Where to begin; the first page without it. */
  at: string | undefined
  /** Parameters beside the description's own. */
  query?: Readonly<Record<string, string>>
  maxPages: number
  /** Called before each page with its number in this walk. */
  beforePage(page: number): Promise<void>
  /** Stores a page; false when the rest of the list need not be read. */
  storePage(items: unknown[]): Promise<boolean>
  /** Keeps where the walk goes on after a kill; undefined for the first page. */
  savePlace(at: string | undefined): Promise<void>
}

/**
 * Reads pages of a list one after the other.
 *
 * - `end`: the list has no further page.
 * - `stopped`: `storePage` asked for no more.
 * - `limit`: `maxPages` were read.
 *
 * In the last two cases the place of the next page is saved.
 *
 * A saved place that the network rejects (an expired cursor, for instance) is forgotten, so that the next walk
 * begins at the first page. Throws {@link NetworkError}.
 */
export async function walkList(walk: Walk): Promise<'end' | 'stopped' | 'limit'> {
  let { at } = walk
  for (let number = 1; ; number++) {
    await walk.beforePage(number)
    const page = await walk.network.page(walk.list, at, walk.query).catch(async (error: unknown) => {
      if (at !== undefined && error instanceof NetworkError && error.isRejection)
        await walk.savePlace(undefined)
      throw error
    })
    const more = await walk.storePage(page.items)
    if (page.next === null) return 'end'
    at = page.next
    await walk.savePlace(at)
    if (!more) return 'stopped'
    if (number >= walk.maxPages) return 'limit'
  }
}
