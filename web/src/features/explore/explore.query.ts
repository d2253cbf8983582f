import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ExploreSearch } from '@karvon/contract/explore/explore.address.ts'
import { exploreCall, type ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'

/** The call over all leads for an admin, over own leads for others. */
export const useExploreCall = () => exploreCall(isAdmin(useSession()) ? 'admin' : 'user')

/** The answer to a question. The answer before it stays visible while it loads. */
export function useExplore(query: ExploreSearch, enabled = true): UseQueryResult<ExploreAnswer> {
  const call = useExploreCall()
  return useQuery({
    queryKey: [...queryKeys.explore, call.id, query],
    queryFn: ({ signal }) => send(call, { query, signal }),
    placeholderData: keepPreviousData,
    enabled,
  })
}
