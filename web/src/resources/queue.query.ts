import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import { send } from '../lib/http.ts'
import { readList, type ListAnswer } from '../lib/list.answer.ts'
import { wireQuery } from '../lib/list.query.ts'
import type { TableState } from '../lib/table-state.ts'

/** Milliseconds between two looks: what waits is sent by itself, and what is due is sent right now. */
const every = { waiting: 15_000, due: 2000 }

interface Queued {
  readonly status: string
  readonly next_at: string | null
}

const isDue = ({ status, next_at }: Queued) =>
  status === 'queued' && next_at !== null && Date.parse(next_at) <= Date.now()

/** A page of a queue to Telegram, looked at again and again, since it moves by itself. */
export function useQueueList<Row extends Queued>(
  name: string,
  call: Call,
  state: TableState,
): UseQueryResult<ListAnswer<Row>> {
  const query = wireQuery(state)
  return useQuery({
    queryKey: [name, 'list', query],
    queryFn: async ({ signal }) => readList<Row>(await send(call, { query, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.items.some(isDue) ? every.due : every.waiting),
  })
}
