import { useQuery } from '@tanstack/react-query'
import { listUnmapped } from '@karvon/contract/leads/leads.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import { send } from '../../lib/http.ts'
import { readList } from '../../lib/list.answer.ts'
import { useFeature } from '../../lib/settings.store.ts'
import classes from './leads.module.css'

/** How many words wait for a status; nothing where there are none. */
export function UnmappedCount() {
  const { data } = useQuery({
    queryKey: ['leads', 'unmapped', 'count'],
    queryFn: async ({ signal }) =>
      readList(await send(listUnmapped, { query: { page: 1, per_page: 1 }, signal })).total,
    staleTime: 30_000,
    enabled: useFeature('leads'),
  })
  return data ? <b className={classes.count}>{formatNumber(data)}</b> : null
}
