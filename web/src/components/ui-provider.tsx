import { type ReactNode, useEffect } from 'react'
import { watchSecondPresses } from './overlay/layer.store.ts'
import { ToastsProvider } from './overlay/toasts.tsx'
import { startTheme } from './theme/theme.store.ts'

/** The base of all components: theme and toasts. Mount it once, at the root. */
export function UiProvider({ children }: { children: ReactNode }) {
  useEffect(startTheme, [])
  useEffect(watchSecondPresses, [])
  return <ToastsProvider>{children}</ToastsProvider>
}
