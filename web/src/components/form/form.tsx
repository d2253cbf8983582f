import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../actions/button.tsx'
import { useUiTexts } from '../texts.ts'
import {
  type FieldValue,
  type FormErrors,
  type FormField,
  formErrors,
  type FormValues,
  startValues,
} from './form.rules.ts'
import { FormFieldInput } from './form-field.tsx'
import classes from './form.module.css'

/**
 * What became of a submit. `message` is shown as it is; `reason` stands below it; `errors` go to their
 * fields by name, and those of unknown fields join the reason; `action` is a way on, a button beside it. Nothing
 * returned means saved.
 */
export type SubmitResult =
  | { ok: true; message?: string }
  | ({ ok: false; errors?: FormErrors | undefined } & Failed)

type Failed = {
  message: string
  reason?: string | undefined
  action?: { label: string; run: () => void } | undefined
}

export type FormProps = {
  fields: readonly FormField[]
  initialValues?: FormValues
  /** A rejection shows its message, or 'An error occurred'. */
  onSubmit: (values: FormValues) => Promise<SubmitResult | void>
  /** After success, with its message. */
  onSuccess?: (message: string | undefined) => void
  /** Default 'Save'. */
  submitLabel?: string
  /** While it is under way; default 'Loading...'. */
  loadingText?: string
  /** Shows a Cancel button. */
  onCancel?: () => void
  disabled?: boolean
  /** Between the fields and the buttons, e.g. a delete button; may look at what the fields hold. */
  children?: ReactNode | ((values: FormValues) => ReactNode)
}

/** A form made from a description of its fields. What was typed stays when a submit fails. */
export function Form(props: FormProps) {
  const {
    fields,
    initialValues,
    onSubmit,
    onSuccess,
    submitLabel,
    loadingText,
    onCancel,
    disabled = false,
  } = props
  const texts = useUiTexts()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(() => startValues(fields, initialValues))
  const [errors, setErrors] = useState<FormErrors>({})
  const [failed, setFailed] = useState<Failed | null>(null)
  const [busy, setBusy] = useState(false)
  // Counts refused submits; each one moves the focus to the first field that is wrong, else to the message.
  const [refusals, setRefusals] = useState(0)

  useEffect(() => {
    if (refusals === 0) return
    const first = form.current?.querySelector<HTMLElement>(
      '[aria-invalid]:is(input,textarea),[aria-invalid] input',
    )
    const target = first ?? form.current?.querySelector<HTMLElement>('[role=alert]')
    target?.focus()
  }, [refusals])

  const change = (name: string, value: FieldValue) => {
    setValues((before) => ({ ...before, [name]: value }))
    setErrors(({ [name]: _gone, ...others }) => others)
  }

  const refuse = (wrong: FormErrors, why: Failed | null) => {
    setErrors(wrong)
    setFailed(why)
    setRefusals((count) => count + 1)
  }

  const act = (run: (() => void) | undefined) => {
    // It may take the form away, and the button with it: the dialog then keeps the focus.
    form.current?.closest<HTMLElement>('[role=dialog]')?.focus()
    run?.()
  }

  const submit = async () => {
    const wrong = formErrors(fields, values, texts)
    if (Object.keys(wrong).length > 0) {
      refuse(wrong, null)
      return
    }
    setErrors({})
    setFailed(null)
    setBusy(true)
    try {
      const result = await onSubmit(values)
      if (result && !result.ok) {
        const names = new Set(fields.map(({ name }) => name))
        const all = Object.entries(result.errors ?? {})
        const rest = all.filter(([name]) => !names.has(name)).map(([name, text]) => `${name}: ${text}`)
        const reason = [result.reason, ...rest].filter(Boolean).join('\n') || undefined
        refuse(Object.fromEntries(all.filter(([name]) => names.has(name))), {
          message: result.message,
          reason,
          action: result.action,
        })
      } else onSuccess?.(result?.message)
    } catch (error) {
      refuse({}, { message: (error instanceof Error && error.message) || texts.failed, reason: undefined })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      ref={form}
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && !disabled) void submit()
      }}
    >
      {failed && (
        <div role="alert" tabIndex={-1} className={classes.failed}>
          <p>{failed.message}</p>
          {failed.reason && <p className={classes.reason}>{failed.reason}</p>}
          {failed.action && <Button onClick={() => act(failed.action?.run)}>{failed.action.label}</Button>}
        </div>
      )}
      <div className={classes.fields}>
        {fields.map((field) => (
          <div key={field.name} data-width={field.width ?? 'full'}>
            <FormFieldInput
              field={field}
              value={values[field.name] ?? null}
              error={errors[field.name]}
              disabled={disabled}
              onChange={(value) => change(field.name, value)}
            />
          </div>
        ))}
      </div>
      {typeof props.children === 'function' ? props.children(values) : props.children}
      <div className={classes.buttons}>
        {onCancel && <Button onClick={onCancel}>{texts.cancel}</Button>}
        <Button type="submit" tone="primary" loading={busy} loadingText={loadingText} disabled={disabled}>
          {submitLabel ?? texts.save}
        </Button>
      </div>
    </form>
  )
}
