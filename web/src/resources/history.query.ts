import { useInfiniteQuery } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import { maxHistoryShown } from '@karvon/contract/lib/limits.ts'
import { send } from '../lib/http.ts'
import { readList } from '../lib/list.result.ts'
import { useFeature } from '../lib/settings.store.ts'
import { queryKeys } from '../lib/query-keys.ts'

interface HistoryInput<Row> {
  /** Lists all rows, newest first, by the id of their owner. */
  call: Call
  id: string | undefined
  /** The newest rows, which came with the owner. */
  rows: readonly Row[]
  /** The number of all rows. Undefined where the host does not say. */
  total: number | null | undefined
}

/**
 * A history, with more rows by `showMore`, a page at a time. No more rows where the host does not list them.
 */
export function useHistory<Row>({ call, id, rows, total }: HistoryInput<Row>) {
  const isListed = useFeature(call.feature)
  const query = useInfiniteQuery({
    queryKey: queryKeys.history(call.id, id),
    initialPageParam: 2,
    queryFn: async ({ pageParam, signal }) => {
      const pageQuery = { page: pageParam, per_page: maxHistoryShown }
      const response: unknown = await send(call, { params: { id: id ?? '' }, query: pageQuery, signal })
      return readList<Row>(response).items
    },
    getNextPageParam: (_last, pages) => pages.length + 2,
    enabled: false,
    gcTime: 0,
  })
  // New rows move older ones to the next page, where they come again.
  const uniqueRows = new Map(
    [...rows, ...(query.data?.pages.flat() ?? [])].map((row) => [JSON.stringify(row), row]),
  )
  const allRows = [...uniqueRows.values()]
  const isLastPage = query.data?.pages.at(-1)?.length === 0
  return {
    rows: allRows,
    total: total ?? allRows.length,
    hasMore:
      isListed && id !== undefined && typeof total === 'number' && total > allRows.length && !isLastPage,
    isLoading: query.isFetching,
    error: query.error,
    showMore: () => void query.fetchNextPage(),
  }
}
