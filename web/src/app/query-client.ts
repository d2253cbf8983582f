import { notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { HttpError } from '../lib/http.ts'
import { router } from './router.tsx'

/**
 * Opens the profile when the server requires a second factor. The person can do nothing else before it is set
 * up.
 */
function redirectToSecondFactor(error: unknown): void {
  const isRequired = error instanceof HttpError && error.code === 'second_factor_setup_required'
  if (isRequired && router.state.location.pathname !== '/profile') void router.navigate({ to: '/profile' })
}

// A button is disabled before the next event. With the default, a timer, a second click of a busy page starts a second call.
notifyManager.setScheduler(queueMicrotask)

// A failed call shows its error at once. Silent retries would delay the error by seconds. Without a connection a call fails,
// too: it must not wait and be sent when nobody expects it.
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: redirectToSecondFactor }),
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always', refetchOnReconnect: true },
    mutations: { retry: false, networkMode: 'always' },
  },
})
