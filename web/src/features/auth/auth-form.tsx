import type { ReactNode } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { focusInvalidField } from '../../components/fields/max-length.ts'
import { useFocusAfterBusy } from '../../components/focus-after-busy.hook.ts'
import classes from './auth-layout.module.css'

type AuthFormProps = {
  /** Why the submit failed. It is announced. */
  error: string | null
  /** The result of a successful submit. It is announced. */
  done?: string | null
  isBusy: boolean
  /** Takes no more submits, such as after success. */
  disabled?: boolean
  /** Null: the form has no button. */
  submitLabel: string | null
  loadingText?: string
  onSubmit: () => Promise<void>
  /** Called when the browser blocks a submit. */
  onInvalid?: () => void
  children: ReactNode
  /** Shown below the button. */
  links?: ReactNode
}

/** A form of the screens before sign-in: the result, the fields and the button. */
export function AuthForm(props: AuthFormProps) {
  const { error, done, isBusy, disabled = false, submitLabel, loadingText } = props
  const form = useFocusAfterBusy<HTMLFormElement>(isBusy)
  return (
    <form
      ref={form}
      className={classes.form}
      onInvalidCapture={props.onInvalid}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy && !disabled && !focusInvalidField(event.currentTarget)) void props.onSubmit()
      }}
    >
      <div role="alert" className={classes.message} data-tone="bad">
        {error}
      </div>
      <div role="status" className={classes.message} data-tone="ok">
        {done}
      </div>
      {props.children}
      {submitLabel !== null && (
        <Button
          type="submit"
          tone="primary"
          full
          loading={isBusy}
          {...(loadingText && { loadingText })}
          disabled={disabled}
          className={classes.submit ?? ''}
        >
          {submitLabel}
        </Button>
      )}
      {props.links}
    </form>
  )
}
