import { useQuery } from '@tanstack/react-query'
import { getProfile, type Profile } from '@karvon/contract/auth/auth.ts'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Whether a person must set up a second factor before anything else. */
export const needsSecondFactor = (profile: Profile): boolean =>
  profile.second_factor_required && !profile.second_factor

/** Whether the signed-in person must set up a second factor. False until the profile is loaded. */
export function useNeedsSecondFactor(): boolean {
  const { data } = useQuery({
    queryKey: queryKeys.profile,
    queryFn: ({ signal }) => send(getProfile, { signal }),
  })
  return data !== undefined && needsSecondFactor(data)
}
