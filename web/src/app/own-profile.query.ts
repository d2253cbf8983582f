import { useQuery } from '@tanstack/react-query'
import { me } from '@karvon/contract/auth/auth.ts'
import { send } from '../lib/http.ts'
import { getSession, readUser, saveSession, useSession } from '../lib/session.store.ts'

/** Asks who is signed in; throws what the call throws, after logging it. */
async function loadOwnProfile(token: string): Promise<boolean> {
  try {
    const user = readUser(await send(me))
    const stored = getSession()
    if (user && stored?.token === token) {
      // An answer without a role leaves the stored one: it decides which screens there are.
      saveSession({ token, user: { ...user, role: user.role || (stored.user?.role ?? '') } })
    }
    return user !== null
  } catch (error) {
    // oxlint-disable-next-line no-console -- the specification has this failure logged
    console.error('The own profile could not be loaded; the stored one is used.', error)
    throw error
  }
}

/** Brings the stored person up to date when the layout loads; on failure the stored one stays. */
export function useOwnProfile(): void {
  const token = useSession()?.token ?? ''
  useQuery({
    queryKey: ['me', token],
    queryFn: () => loadOwnProfile(token),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
}
