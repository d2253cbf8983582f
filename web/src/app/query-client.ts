import { QueryCache, QueryClient } from '@tanstack/react-query'
import { HttpError } from '../lib/http.ts'
import { router } from './router.tsx'

/** Whoever must set up a second factor can do nothing else before: every other page leads to where that is done. */
function leadToSecondFactor(error: unknown): void {
  const required = error instanceof HttpError && error.code === 'second_factor_setup_required'
  if (required && router.state.location.pathname !== '/profile') void router.navigate({ to: '/profile' })
}

// A failed call says so at once, with a way to try again; silent retries would hide it for seconds.
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leadToSecondFactor }),
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false }, mutations: { retry: false } },
})
