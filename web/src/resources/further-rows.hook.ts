import { useInfiniteQuery } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import { maxHistoryShown } from '@karvon/contract/lib/limits.ts'
import { send } from '../lib/http.ts'
import { readList } from '../lib/list.answer.ts'
import { useFeature } from '../lib/settings.store.ts'

interface FurtherRowsOf<Row> {
  /** Lists all rows, newest first, by the id of what they belong to. */
  call: Call
  id: string | undefined
  /** Those that came with what they belong to: the newest ones. */
  rows: readonly Row[]
  /** How many there are in all; undefined where the host does not say. */
  total: number | null | undefined
}

/** A history with the rows that `showMore` loads, a page at a time. Nothing more where the host does not list them. */
export function useFurtherRows<Row>({ call, id, rows, total }: FurtherRowsOf<Row>) {
  const isListed = useFeature(call.feature)
  const query = useInfiniteQuery({
    queryKey: ['further-rows', call.id, id],
    initialPageParam: 2,
    queryFn: async ({ pageParam, signal }) => {
      const asked = { page: pageParam, per_page: maxHistoryShown }
      const answer: unknown = await send(call, { params: { id: id ?? '' }, query: asked, signal })
      return readList<Row>(answer).items
    },
    getNextPageParam: (_last, pages) => pages.length + 2,
    enabled: false,
    gcTime: 0,
  })
  // What came in meanwhile moves rows to the next page, where they come once more.
  const known = new Map(
    [...rows, ...(query.data?.pages.flat() ?? [])].map((row) => [JSON.stringify(row), row]),
  )
  const all = [...known.values()]
  const isEnd = query.data?.pages.at(-1)?.length === 0
  return {
    rows: all,
    total: total ?? all.length,
    hasMore: isListed && id !== undefined && typeof total === 'number' && total > all.length && !isEnd,
    isLoading: query.isFetching,
    error: query.error,
    showMore: () => void query.fetchNextPage(),
  }
}
