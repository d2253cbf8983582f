import { useEffect, type ComponentType } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { DialogsProvider } from '../components/overlay/dialogs.tsx'
import { getSession, subscribeToSession } from '../lib/session.store.ts'
import { loadSettings } from '../lib/settings.query.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

/** Clears the cache when another session begins or the session ends. The route guards then decide again. */
function resetOnSessionChange(): () => void {
  let token = getSession()?.token
  return subscribeToSession(() => {
    const currentToken = getSession()?.token
    if (currentToken === token) return
    token = currentToken
    queryClient.clear()
    void loadSettings()
    const isOpenToAll = router.state.matches.at(-1)?.staticData.open === true
    if (currentToken === undefined && !isOpenToAll) void router.navigate({ to: '/login' })
    else void router.invalidate()
  })
}

function App() {
  useEffect(resetOnSessionChange, [])
  return (
    <DialogsProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </DialogsProvider>
  )
}

/** Loads the page of the current address, so that the app is not empty when it is first drawn. */
export async function loadApp(): Promise<ComponentType> {
  await router.load()
  return App
}
