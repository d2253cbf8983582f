import type { RefObject } from 'react'
import { Button } from '../actions/button.tsx'
import classes from './form.module.css'
import type { FailureMessage } from './submit.ts'

type FormFailureProps = FailureMessage & { form: RefObject<HTMLElement | null> }

/** The message of a failed submit. */
export function FormFailure({ message, reason, action, form }: FormFailureProps) {
  return (
    <div role="alert" tabIndex={-1} className={classes.failed}>
      <p>{message}</p>
      {reason && <p className={classes.reason}>{reason}</p>}
      {action && (
        <Button
          onClick={() => {
            // The action may remove the form with its button. The dialog then has the focus.
            form.current?.closest<HTMLElement>('[role=dialog]')?.focus()
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
    </div>
  )
}
