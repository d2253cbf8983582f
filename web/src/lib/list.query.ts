import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import { send, type QueryValue } from './http.ts'
import { readList, type ListResult, type PageRequest } from './list.result.ts'
import type { QueryKey } from './query-keys.ts'
import { formatSort, type TableControl, type TableState } from './table-state.ts'

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

type LoadState = { state: { error: Error | null; data?: unknown } }

/** False for a query that failed and has no rows: its error stays on the screen until the person tries again. */
export const canReload = ({ state: { error, data } }: LoadState): boolean =>
  error === null || data !== undefined

/** The interval in milliseconds at which a live list or report reloads while its page is visible. */
export const getRefetchInterval = (query: LoadState): number | false => canReload(query) && 20_000

/** The query of a request, by parameter. */
export type ListQuery = Readonly<Record<string, QueryValue>>

/** When a list loads and reloads, in the query cache's own terms. */
export type LoadOptions<Row> = Pick<
  UseQueryOptions<ListResult<Row>, Error, ListResult<Row>, QueryKey>,
  'enabled' | 'refetchInterval' | 'refetchOnWindowFocus' | 'staleTime'
>

interface ListPageInput<Row> extends LoadOptions<Row> {
  /** The start of the cache key. */
  readonly key: QueryKey
  readonly call: Call
  /** The values of `:name` in the call's path. They are part of `key` too. */
  readonly params?: Readonly<Record<string, string | number>> | undefined
  readonly query: ListQuery
  /** The requested page, which is cut from the answer of a host that answers all rows. */
  readonly page: PageRequest
  readonly createHeaders?: () => Readonly<Record<string, string>>
}

type PageInput = Pick<ListPageInput<unknown>, 'key' | 'call' | 'params' | 'query' | 'page' | 'createHeaders'>

const describePage = <Row>({ key, call, params, query, page, createHeaders }: PageInput) => ({
  queryKey: [...key, query],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    readList<Row>(
      await send(call, { ...(params && { params }), query, signal, headers: createHeaders?.() }),
      page,
    ),
})

/** The queries of pages that were fetched ahead, and the milliseconds for which they are not fetched again. */
const pagesAhead = new WeakSet<object>()
const aheadMs = 5000

/** One page of a list. It is requested before the page is drawn. The previous page stays visible while the next one loads. */
export function useListPage<Row>(input: ListPageInput<Row>): UseQueryResult<ListResult<Row>> {
  const { key, call, params, query, page, createHeaders, ...options } = input
  const pageQuery = describePage<Row>({ key, call, params, query, page, createHeaders })
  const client = useQueryClient()
  const isKnown = client.getQueryState(pageQuery.queryKey) !== undefined
  if (!isKnown && options.enabled !== false) void client.prefetchQuery(pageQuery)
  return useQuery({
    staleTime: (cachedQuery) => (pagesAhead.has(cachedQuery) ? aheadMs : 0),
    ...options,
    ...pageQuery,
    placeholderData: keepPreviousData,
  })
}

/** The query of the next page. A list counts pages or skipped rows. */
const buildNextPageQuery = (query: ListQuery, { page, size }: PageRequest): ListQuery =>
  'skip' in query ? { ...query, skip: page * size } : { ...query, page: page + 1 }

/** The list of a page: its state, its rows, and the request that an export repeats for all rows. */
export interface List<Row> {
  readonly table: TableControl
  readonly result: UseQueryResult<ListResult<Row>>
  readonly request: {
    readonly call: Call
    readonly params?: Readonly<Record<string, string | number>> | undefined
    readonly query: ListQuery
  }
  /** Fetches the next page ahead. A failure is not shown: the page is fetched again when it is opened. */
  readonly prefetchNext: () => void
}

interface ListInput<Row> extends Omit<ListPageInput<Row>, 'query' | 'page'> {
  readonly table: TableControl
  /** Default: that of {@link buildListQuery}. */
  readonly query?: ListQuery
}

/** The list of a page, by the state of its table. Every page with a list uses this hook. */
export function useList<Row>(input: ListInput<Row>): List<Row> {
  const { table, query = buildListQuery(table.state), ...options } = input
  const client = useQueryClient()
  const result = useListPage({ ...options, query, page: table.state })
  const prefetchNext = () => {
    const { page, size } = table.state
    const next = { query: buildNextPageQuery(query, table.state), page: { page: page + 1, size } }
    const { queryKey, queryFn } = describePage<Row>({ ...options, ...next })
    void client.prefetchQuery({ queryKey, queryFn, staleTime: aheadMs })
    const cachedQuery = client.getQueryCache().find({ queryKey })
    if (cachedQuery) pagesAhead.add(cachedQuery)
  }
  return { table, result, request: { call: input.call, params: input.params, query }, prefetchNext }
}
