import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import { send, type QueryValue } from './http.ts'
import { readList, type ListResult } from './list.result.ts'
import type { QueryKey } from './query-keys.ts'
import { formatSort, type TableState } from './table-state.ts'

/**
 * The query of a list call for a table state. `from` and `to` become `start_date` and `end_date`. `id` is the row
 * whose detail is open. It does not filter the list.
 */
export function buildListQuery({
  page,
  size,
  sort,
  search,
  filters,
}: TableState): Record<string, QueryValue> {
  const { from, to, id: _openedId, ...exactFilters } = filters
  return {
    page,
    per_page: size,
    sort: formatSort(sort),
    search,
    start_date: from,
    end_date: to,
    ...exactFilters,
  }
}

/**
 * The interval in milliseconds at which a live list or report reloads while its page is visible. A failed query does
 * not reload: its error stays on the screen until the person tries again.
 */
export const getRefetchInterval = ({
  state: { error },
}: {
  state: { error: Error | null }
}): number | false => error === null && 20_000

interface ListInput {
  /** The start of the cache key. */
  readonly key: QueryKey
  readonly call: Call
  readonly state: TableState
  /** Reloads the list at {@link getRefetchInterval}. */
  readonly isLive?: boolean
}

/** One page of a list. The previous page stays visible while the next one loads. */
export function useList<Row>({
  key,
  call,
  state,
  isLive = false,
}: ListInput): UseQueryResult<ListResult<Row>> {
  const query = buildListQuery(state)
  return useQuery({
    queryKey: [...key, query],
    queryFn: async ({ signal }) => readList<Row>(await send(call, { query, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && getRefetchInterval,
  })
}
