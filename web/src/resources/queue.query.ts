import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import { send } from '../lib/http.ts'
import { readList, type ListResult } from '../lib/list.result.ts'
import { buildListQuery } from '../lib/list.query.ts'
import type { QueryKey } from '../lib/query-keys.ts'
import type { TableState } from '../lib/table-state.ts'

/** Milliseconds between two polls: short while a row is due, since the server is about to send it. */
const pollIntervalsMs = { waiting: 15_000, due: 2000 }

interface QueueRow {
  readonly status: string
  readonly next_at: string | null
}

const isDue = ({ status, next_at }: QueueRow) =>
  status === 'queued' && next_at !== null && Date.parse(next_at) <= Date.now()

/** One page of a queue to Telegram. It reloads on an interval because the server works through the queue. */
export function useQueueList<Row extends QueueRow>(
  key: QueryKey,
  call: Call,
  state: TableState,
): UseQueryResult<ListResult<Row>> {
  const query = buildListQuery(state)
  return useQuery({
    queryKey: [...key, 'list', query],
    queryFn: async ({ signal }) => readList<Row>(await send(call, { query, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(isDue) ? pollIntervalsMs.due : pollIntervalsMs.waiting,
  })
}
