import { type ReactNode, useId } from 'react'
import classes from './field.module.css'

/** What every field takes. */
export type FieldProps = {
  label: string
  /** The label is for assistive technology alone (a toolbar's filters). */
  hideLabel?: boolean | undefined
  required?: boolean | undefined
  hint?: string | undefined
  /** Shown below and announced; null or empty: no error. */
  error?: string | null | undefined
  /** Shown below and announced; nothing is refused because of it. */
  warning?: string | null | undefined
  disabled?: boolean | undefined
  name?: string | undefined
}

/** The attributes that tie an input to its label, hint and error. */
export type Wiring = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type FrameProps = Pick<FieldProps, 'label' | 'hideLabel' | 'required' | 'hint' | 'error' | 'warning'> & {
  children: (wiring: Wiring) => ReactNode
}

/** A label above, the input, then the error or the hint. */
export function FieldFrame({ label, hideLabel, required, hint, error, warning, children }: FrameProps) {
  const id = useId()
  const described = [(error || hint) && `${id}note`, warning && `${id}warning`].filter(Boolean).join(' ')
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : classes.label}>
        {label}
        {required && !hideLabel && <Star />}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
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

/** Drawn by the style sheet: a label's text stays the label alone. */
export function Star() {
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
