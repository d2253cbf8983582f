import { type ReactNode, useId } from 'react'
import classes from './field.module.css'

/** Properties of all fields. */
export type FieldProps = {
  label: string
  /** Hides the label visually (for a toolbar's filters). */
  hideLabel?: boolean | undefined
  required?: boolean | undefined
  hint?: string | undefined
  /** Shown below the field and announced. Null or empty means no error. */
  error?: string | null | undefined
  /** Shown below the field and announced. It does not block a submit. */
  warning?: string | null | undefined
  disabled?: boolean | undefined
  name?: string | undefined
}

/** The attributes that link an input to its label, hint and error. */
export type InputAttributes = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type FieldFrameProps = Pick<FieldProps, 'label' | 'hideLabel' | 'required' | 'hint' | 'error' | 'warning'> & {
  children: (attributes: InputAttributes) => ReactNode
}

/** A label, the input, then the error or the hint. */
export function FieldFrame({ label, hideLabel, required, hint, error, warning, children }: FieldFrameProps) {
  const id = useId()
  const descriptionIds = [(error || hint) && `${id}note`, warning && `${id}warning`].filter(Boolean).join(' ')
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : classes.label}>
        {label}
        {required && !hideLabel && <RequiredMark />}
      </label>
      {children({
        id,
        'aria-describedby': descriptionIds === '' ? undefined : descriptionIds,
        'aria-invalid': error ? true : undefined,
      })}
      <FieldNote id={`${id}note`} hint={hint} error={error} />
      {warning !== undefined && (
        <p id={`${id}warning`} role="status" className={classes.warning}>
          {warning}
        </p>
      )}
    </div>
  )
}

/** The mark of a required field. The style sheet draws it, so that the label's text stays unchanged. */
export function RequiredMark() {
  return <span className={classes.star} aria-hidden="true" />
}

export function FieldNote(props: {
  id: string
  hint?: string | undefined
  error?: string | null | undefined
}) {
  if (props.error) {
    return (
      <p id={props.id} className={classes.error}>
        {props.error}
      </p>
    )
  }
  return props.hint ? (
    <p id={props.id} className={classes.hint}>
      {props.hint}
    </p>
  ) : null
}
