import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import { send, type QueryValue } from './http.ts'
import { readList, type ListAnswer } from './list.answer.ts'
import { sortText, type TableState } from './table-state.ts'

/**
 * What the URL says of a list as the wire names it: `from` and `to` are the days of a period, and `id`, the
 * row whose detail is open, narrows nothing.
 */
export function wireQuery({ page, size, sort, search, filters }: TableState): Record<string, QueryValue> {
  const { from, to, id: _opened, ...exact } = filters
  return { page, per_page: size, sort: sortText(sort), search, start_date: from, end_date: to, ...exact }
}

/**
 * How often, in milliseconds, what moves by itself is looked at again while its page is seen. After a failure
 * never: what went wrong stays on the screen until the person tries again.
 */
export const lookAgain = ({ state: { error } }: { state: { error: Error | null } }): number | false =>
  error === null && 20_000

/**
 * One page of a list; the page before stays while the next is on its way. `key` begins where it is kept. A `live`
 * one is looked at again and again.
 */
export function useList<Row>(
  key: readonly string[],
  call: Call,
  state: TableState,
  live = false,
): UseQueryResult<ListAnswer<Row>> {
  const query = wireQuery(state)
  return useQuery({
    queryKey: [...key, query],
    queryFn: async ({ signal }) => readList<Row>(await send(call, { query, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: live && lookAgain,
  })
}
