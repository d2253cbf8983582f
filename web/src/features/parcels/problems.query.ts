import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { countProblems, type ProblemCounts } from '@karvon/contract/parcels/parcels.ts'
import { send } from '../../lib/http.ts'
import { useFeature } from '../../lib/settings.store.ts'

/** Milliseconds between two counts. */
const every = 60_000

/** How many parcels need a person, and why; nothing where the host does not count. */
export function useProblemCounts(): UseQueryResult<ProblemCounts> {
  return useQuery({
    queryKey: ['parcels', 'problems'],
    queryFn: ({ signal }) => send(countProblems, { signal }),
    staleTime: every / 2,
    enabled: useFeature('parcel_problems'),
    refetchInterval: every,
  })
}
