import { type ReactNode, useEffect, useMemo } from 'react'
import { watchSecondPresses } from './overlay/layer.store.ts'
import { ToastsProvider } from './overlay/toasts.tsx'
import { defaultTexts, type UiTexts, UiTextsContext } from './texts.ts'
import { startTheme } from './theme/theme.store.ts'

/** The base of all components: theme, texts and toasts. Mount it once, at the root. */
export function UiProvider({ texts, children }: { texts?: Partial<UiTexts>; children: ReactNode }) {
  useEffect(startTheme, [])
  useEffect(watchSecondPresses, [])
  const allTexts = useMemo(() => ({ ...defaultTexts, ...texts }), [texts])
  return (
    <UiTextsContext value={allTexts}>
      <ToastsProvider>{children}</ToastsProvider>
    </UiTextsContext>
  )
}
