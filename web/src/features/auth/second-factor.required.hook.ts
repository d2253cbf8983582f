import { useQuery } from '@tanstack/react-query'
import { getProfile, type Profile } from '@karvon/contract/auth/auth.ts'
import { send } from '../../lib/http.ts'

/** Whether somebody has to set up a second factor before they can do anything else. */
export const needsSecondFactor = (profile: Profile): boolean =>
  profile.second_factor_required && !profile.second_factor

/** The same of the person who is signed in; false until their profile is known. */
export function useNeedsSecondFactor(): boolean {
  const { data } = useQuery({
    queryKey: ['profile'],
    queryFn: ({ signal }) => send(getProfile, { signal }),
  })
  return data !== undefined && needsSecondFactor(data)
}
