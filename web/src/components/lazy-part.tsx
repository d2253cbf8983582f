import { type ReactNode, Suspense, useState } from 'react'
import { ErrorState } from './display/empty-state.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { AlertDialog } from './overlay/dialogs.tsx'
import { useUiTexts } from './texts.ts'

type LazyPartProps = {
  /** Shown while the code loads. */
  fallback?: ReactNode
  /** Shown if the part cannot be loaded or drawn. A message by default. */
  failure?: ReactNode
  children: ReactNode
}

/** A part of a page with code of its own. The page stays if the part cannot be loaded. */
export function LazyPart({ fallback, failure, children }: LazyPartProps) {
  const { notLoaded } = useUiTexts()
  return (
    <ErrorBoundary renderFailure={() => failure ?? <ErrorState failure={{ message: notLoaded }} />}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  )
}

type LazyDialogProps = {
  opened: boolean
  onClose: () => void
  /** A dialog with code of its own. */
  children: ReactNode
}

/**
 * Draws a dialog from its first opening on. It then stays mounted, so that its closing is animated. If it cannot be
 * loaded or drawn, a message opens in its place.
 */
export function LazyDialog({ opened, onClose, children }: LazyDialogProps) {
  const [wasOpened, setWasOpened] = useState(false)
  const { notLoaded } = useUiTexts()
  if (opened && !wasOpened) setWasOpened(true)
  return (
    wasOpened && (
      <LazyPart failure={<AlertDialog opened={opened} onClose={onClose} text={notLoaded} />}>
        {children}
      </LazyPart>
    )
  )
}
