import type { ReactNode } from 'react'
import { Button } from '../actions/button.tsx'
import { AlertIcon, InboxIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import classes from './empty-state.module.css'

/** Says that there is nothing to show. `children` may offer an action. */
export function EmptyState({ text, children }: { text?: string; children?: ReactNode }) {
  const texts = useUiTexts()
  return (
    <div className={classes.state}>
      <InboxIcon size={28} />
      <p className={classes.text}>{text ?? texts.empty}</p>
      {children}
    </div>
  )
}

/** A failed load: the message, the reason below it, and a button to try again. */
export type Failure = { message: string; reason?: string | undefined }

type ErrorStateProps = {
  failure: Failure
  onRetry?: (() => void) | undefined
  /** The rows of an earlier load are shown. The error is then a line below them that stays in the window. */
  isStale?: true | undefined
}

export function ErrorState({ failure, onRetry, isStale }: ErrorStateProps) {
  const texts = useUiTexts()
  return (
    <div className={classes.state} data-error="" data-stale={isStale}>
      <AlertIcon size={28} />
      <div role={isStale ? 'status' : 'alert'}>
        <p className={classes.text}>{failure.message}</p>
        {isStale && texts.stale}
        {failure.reason && <p className={classes.reason}>{failure.reason}</p>}
      </div>
      {onRetry && <Button onClick={onRetry}>{texts.tryAgain}</Button>}
    </div>
  )
}
