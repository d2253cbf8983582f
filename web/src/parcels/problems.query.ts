import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { countProblems, type ProblemCounts } from '@karvon/contract/parcels/parcels.ts'
import { HttpError, send } from '../kit/http.ts'

/** Milliseconds between two counts. */
const every = 60_000

/** How many parcels need a person, and why; an error where the host does not count. */
export function useProblemCounts(): UseQueryResult<ProblemCounts> {
  return useQuery({
    queryKey: ['parcels', 'problems'],
    queryFn: ({ signal }) => send(countProblems, { signal }),
    staleTime: every / 2,
    // Whoever answers that there is no such call is not asked once more.
    refetchInterval: ({ state: { error } }) =>
      error instanceof HttpError && error.status >= 400 && error.status < 500 ? false : every,
  })
}
