import { useEffect } from 'react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { UiProvider } from '../ui/ui-provider.tsx'
import { getSession, onSession } from '../kit/session.store.ts'
import { router } from './router.tsx'

// A failed call says so at once, with a way to try again; silent retries would hide it for seconds.
const client = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false }, mutations: { retry: false } },
})

/** Forgets what one session has seen as soon as it is another's, and lets the guards decide anew. */
function followSession(): () => void {
  let token = getSession()?.token
  return onSession(() => {
    const now = getSession()?.token
    if (now === token) return
    token = now
    client.clear()
    const open = router.state.matches.at(-1)?.staticData.open === true
    if (now === undefined && !open) void router.navigate({ to: '/login' })
    else void router.invalidate()
  })
}

export function App() {
  useEffect(followSession, [])
  return (
    <UiProvider>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </UiProvider>
  )
}
