import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../actions/button.tsx'
import { useFocusAfterBusy } from '../focus-after-busy.hook.ts'
import { savingAttribute } from '../overlay/layer.store.ts'
import { useToasts } from '../overlay/toasts.tsx'
import { useUiTexts } from '../texts.ts'
import {
  type FieldValue,
  type FormErrors,
  type FormField,
  validateForm,
  type FormValues,
  getInitialValues,
  selectShownFields,
} from './form.rules.ts'
import { FormFieldInput } from './form-field.tsx'
import classes from './form.module.css'

/**
 * The result of a submit. `message` is shown as it is, with `reason` below it. `errors` go to their fields by
 * name. Errors of unknown fields join the reason. `action` is a button beside the message. No result means
 * success.
 */
export type SubmitResult =
  | { ok: true; message?: string }
  | ({ ok: false; errors?: FormErrors | undefined } & SubmitFailure)

type SubmitFailure = {
  message: string
  reason?: string | undefined
  action?: { label: string; run: () => void } | undefined
}

export type FormProps = {
  fields: readonly FormField[]
  initialValues?: FormValues
  /** A rejected promise shows its message, or 'An error occurred'. */
  onSubmit: (values: FormValues) => Promise<SubmitResult | void>
  /** Called after success, with the message. */
  onSuccess?: (message: string | undefined) => void
  /** Asks before a valid form is submitted. Returns whether it may be. */
  confirm?: (values: FormValues) => Promise<boolean>
  /** Default 'Save'. A function gets the current values. */
  submitLabel?: string | ((values: FormValues) => string)
  /** Shown while a submit runs. Default 'Loading...'. */
  loadingText?: string
  /** Shows a Cancel button. */
  onCancel?: () => void
  disabled?: boolean
  /** The submit goes on when the form is closed, and reports its result itself. */
  isBackground?: boolean
  /** Shown between the fields and the buttons, e.g. a delete button. A function gets the current values. */
  children?: ReactNode | ((values: FormValues) => ReactNode)
}

/**
 * A form built from a description of its fields. A failed submit keeps the values. While a submit runs, the form takes no
 * input and its dialog does not close.
 */
export function Form(props: FormProps) {
  const {
    fields,
    initialValues,
    onSubmit,
    onSuccess,
    confirm,
    submitLabel,
    loadingText,
    onCancel,
    disabled = false,
    isBackground = false,
  } = props
  const texts = useUiTexts()
  const toasts = useToasts()
  const [values, setValues] = useState(() => getInitialValues(fields, initialValues))
  const [errors, setErrors] = useState<FormErrors>({})
  const [failure, setFailure] = useState<SubmitFailure | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const form = useFocusAfterBusy<HTMLFormElement>(isBusy)
  // Counts failed submits. Each one moves the focus to the first field with an error, else to the message.
  const [failureCount, setFailureCount] = useState(0)

  useEffect(() => {
    if (failureCount === 0) return
    const firstFault = form.current?.querySelector<HTMLElement>(
      '[aria-invalid]:is(input,textarea),[aria-invalid] input',
    )
    const target = firstFault ?? form.current?.querySelector<HTMLElement>('[role=alert]')
    target?.focus()
  }, [failureCount, form])

  const shownFields = selectShownFields(fields, values)

  const change = (name: string, value: FieldValue) => {
    setValues((before) => ({ ...before, [name]: value }))
    setErrors(({ [name]: _error, ...otherErrors }) => otherErrors)
  }

  const showFailure = (fieldErrors: FormErrors, submitFailure: SubmitFailure | null) => {
    setErrors(fieldErrors)
    setFailure(submitFailure)
    setFailureCount((count) => count + 1)
    // The page was left.
    if (form.current === null && submitFailure !== null && !isBackground)
      toasts.show({ title: submitFailure.message, text: submitFailure.reason ?? '', tone: 'danger' })
  }

  const runAction = (run: (() => void) | undefined) => {
    // The action may remove the form with its button. The dialog then has the focus.
    form.current?.closest<HTMLElement>('[role=dialog]')?.focus()
    run?.()
  }

  const submit = async () => {
    const fieldErrors = validateForm(fields, values, texts)
    // A text that is no date has an empty value.
    for (const { name, validity } of form.current?.querySelectorAll<HTMLInputElement>('[type=date]') ?? [])
      if (validity.badInput) fieldErrors[name] = texts.invalidDay
    if (Object.keys(fieldErrors).length > 0) {
      showFailure(fieldErrors, null)
      return
    }
    if (confirm !== undefined && !(await confirm(values))) return
    setErrors({})
    setFailure(null)
    setIsBusy(true)
    try {
      const result = await onSubmit(values)
      if (result && !result.ok) {
        const names = new Set(shownFields.map(({ name }) => name))
        const entries = Object.entries(result.errors ?? {})
        const otherErrors = entries
          .filter(([name]) => !names.has(name))
          .map(([name, text]) => `${name}: ${text}`)
        const reason = [result.reason, ...otherErrors].filter(Boolean).join('\n') || undefined
        showFailure(Object.fromEntries(entries.filter(([name]) => names.has(name))), {
          message: result.message,
          reason,
          action: result.action,
        })
      } else onSuccess?.(result?.message)
    } catch (error) {
      showFailure(
        {},
        { message: (error instanceof Error && error.message) || texts.failed, reason: undefined },
      )
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <form
      ref={form}
      noValidate
      className={classes.form}
      {...{ [savingAttribute]: (isBusy && !isBackground) || undefined }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy && !disabled) void submit()
      }}
    >
      {failure && (
        <div role="alert" tabIndex={-1} className={classes.failed}>
          <p>{failure.message}</p>
          {failure.reason && <p className={classes.reason}>{failure.reason}</p>}
          {failure.action && (
            <Button onClick={() => runAction(failure.action?.run)}>{failure.action.label}</Button>
          )}
        </div>
      )}
      <div className={classes.fields} inert={isBusy}>
        {shownFields.map((field) => (
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
      {props.children !== undefined && (
        <div className={classes.more} inert={isBusy}>
          {typeof props.children === 'function' ? props.children(values) : props.children}
        </div>
      )}
      <div className={classes.buttons}>
        {onCancel && (
          <Button disabled={isBusy && !isBackground} onClick={onCancel}>
            {texts.cancel}
          </Button>
        )}
        <Button type="submit" tone="primary" loading={isBusy} loadingText={loadingText} disabled={disabled}>
          {(typeof submitLabel === 'function' ? submitLabel(values) : submitLabel) ?? texts.save}
        </Button>
      </div>
    </form>
  )
}
