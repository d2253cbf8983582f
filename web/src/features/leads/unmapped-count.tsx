import { useQuery } from '@tanstack/react-query'
import { listUnmappedStatuses } from '@karvon/contract/leads/unmapped.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import { send } from '../../lib/http.ts'
import { readList } from '../../lib/list.result.ts'
import { useFeature } from '../../lib/settings.store.ts'
import classes from './unmapped-count.module.css'
import { queryKeys } from '../../lib/query-keys.ts'

/** The number of unmapped statuses. Nothing when there are none. */
export function UnmappedStatusCount() {
  const { data } = useQuery({
    queryKey: queryKeys.unmappedCount,
    queryFn: async ({ signal }) =>
      readList(await send(listUnmappedStatuses, { query: { page: 1, per_page: 1 }, signal })).total,
    staleTime: 30_000,
    enabled: useFeature('leads'),
  })
  return data ? <b className={classes.count}>{formatNumber(data)}</b> : null
}
