import { useQuery } from '@tanstack/react-query'
import { me } from '@karvon/contract/auth/auth.ts'
import { send } from '../lib/http.ts'
import { getSession, readUser, saveSession, useSession } from '../lib/session.store.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** Loads the own profile. Logs and rethrows an error of the call. */
async function loadOwnProfile(token: string): Promise<boolean> {
  try {
    const user = readUser(await send(me))
    const storedSession = getSession()
    if (user && storedSession?.token === token) {
      // Without a role in the answer the stored role stays, because it decides which screens are visible.
      saveSession({ token, user: { ...user, role: user.role || (storedSession.user?.role ?? '') } })
    }
    return user !== null
  } catch (error) {
    // oxlint-disable-next-line no-console -- the specification has this failure logged
    console.error('The own profile could not be loaded; the stored one is used.', error)
    throw error
  }
}

/** Updates the stored person when the layout loads. On failure the stored person stays. */
export function useOwnProfile(): void {
  const token = useSession()?.token ?? ''
  useQuery({
    queryKey: queryKeys.me(token),
    queryFn: () => loadOwnProfile(token),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
}
