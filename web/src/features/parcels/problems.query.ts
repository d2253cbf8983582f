import { useEffect } from 'react'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { countProblems, type ProblemCounts } from '@karvon/contract/parcels/problems.ts'
import { send } from '../../lib/http.ts'
import { useFeature } from '../../lib/settings.store.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Milliseconds between two reloads of the parcels list and of the problem counts. */
export const parcelsRefetchMs = 60_000

/** Milliseconds for which counts and the open parcel need no reload when the list was reloaded. */
export const freshMs = 5000

const countsQuery = {
  queryKey: queryKeys.parcelProblemCounts,
  queryFn: ({ signal }: { signal: AbortSignal }) => send(countProblems, { signal }),
}

/** How many parcels have a problem, by reason. No data where the host does not count them. */
export function useProblemCounts(): UseQueryResult<ProblemCounts> {
  return useQuery({
    ...countsQuery,
    staleTime: parcelsRefetchMs / 2,
    enabled: useFeature('parcel_problems'),
    refetchInterval: parcelsRefetchMs,
    refetchOnWindowFocus: true,
  })
}

/**
 * Reloads the problem counts after each reload of the list, so that both show the same moment. A reload also restarts
 * the interval of the counts, which then runs together with the interval of the list.
 */
export function useProblemCountsAfterList(listUpdatedAt: number): void {
  const client = useQueryClient()
  const isEnabled = useFeature('parcel_problems')
  useEffect(() => {
    if (isEnabled && listUpdatedAt > 0) void client.prefetchQuery({ ...countsQuery, staleTime: freshMs })
  }, [client, isEnabled, listUpdatedAt])
}
