import { useEffect } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { UiProvider } from '../components/ui-provider.tsx'
import { getSession, onSession } from '../lib/session.store.ts'
import { loadSettings } from '../lib/settings.query.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

/** Forgets what one session has seen as soon as it is another's, and lets the guards decide anew. */
function followSession(): () => void {
  let token = getSession()?.token
  return onSession(() => {
    const now = getSession()?.token
    if (now === token) return
    token = now
    queryClient.clear()
    void loadSettings()
    const open = router.state.matches.at(-1)?.staticData.open === true
    if (now === undefined && !open) void router.navigate({ to: '/login' })
    else void router.invalidate()
  })
}

export function App() {
  useEffect(followSession, [])
  return (
    <UiProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </UiProvider>
  )
}
