import { QueryClient } from '@tanstack/react-query'

// A failed call says so at once, with a way to try again; silent retries would hide it for seconds.
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false }, mutations: { retry: false } },
})
