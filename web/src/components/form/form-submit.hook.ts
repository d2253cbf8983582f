import { useState } from 'react'
import { useFocusAfterBusy } from '../focus-after-busy.hook.ts'
import { useToasts } from '../overlay/toasts.tsx'
import { useUiTexts } from '../texts.ts'
import { useFailureFocus } from './failure-focus.hook.ts'
import {
  type FormErrors,
  type FormField,
  type FormValues,
  selectShownFields,
  validateForm,
} from './form.rules.ts'
import type { FailureMessage, SubmitFailure, SubmitResult } from './submit.ts'

export type FormSubmitProps = {
  fields: readonly FormField[]
  /** A rejected promise shows its message, or 'An error occurred'. */
  onSubmit: (values: FormValues) => Promise<SubmitResult | void>
  /** Called after success, with the message. */
  onSuccess?: (message: string | undefined) => void
  /** Asks before a valid form is submitted. Returns whether it may be. */
  confirm?: (values: FormValues) => Promise<boolean>
  /** The submit goes on when the form is closed, and reports its result itself. */
  isBackground?: boolean
}

/** The submit of a form: whether it runs, and what it failed on. */
export function useFormSubmit(props: FormSubmitProps, values: FormValues) {
  const { fields, onSubmit, onSuccess, confirm, isBackground } = props
  const texts = useUiTexts()
  const toasts = useToasts()
  const [errors, setErrors] = useState<FormErrors>({})
  const [failure, setFailure] = useState<FailureMessage | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const form = useFocusAfterBusy<HTMLFormElement>(isBusy)
  const focusFailure = useFailureFocus(form)

  const showFailure = ({ message, reason, action, errors: namedErrors = {} }: SubmitFailure) => {
    const shownFields = selectShownFields(fields, values)
    const fieldErrors: FormErrors = {}
    const reasons = reason ? [reason] : []
    for (const [name, text] of Object.entries(namedErrors))
      if (shownFields.some((field) => field.name === name)) fieldErrors[name] = text
      else reasons.push(`${name}: ${text}`)
    const text = reasons.join('\n')
    setErrors(fieldErrors)
    setFailure({ message, reason: text || undefined, action })
    focusFailure()
    // The page was left.
    if (form.current === null && !isBackground) toasts.show({ title: message, text, tone: 'danger' })
  }

  const submit = async () => {
    const fieldErrors = validateForm(fields, values, texts)
    // A text that is no date has an empty value.
    for (const { name, validity } of form.current?.querySelectorAll<HTMLInputElement>('[type=date]') ?? [])
      if (validity.badInput) fieldErrors[name] = texts.invalidDay
    if (Object.keys(fieldErrors).length > 0) {
      setErrors(fieldErrors)
      setFailure(null)
      focusFailure()
      return
    }
    if (confirm !== undefined && !(await confirm(values))) return
    setErrors({})
    setFailure(null)
    setIsBusy(true)
    try {
      const result = await onSubmit(values)
      if (result && !result.ok) showFailure(result)
      else onSuccess?.(result?.message)
    } catch (error) {
      showFailure({ message: (error instanceof Error && error.message) || texts.failed })
    } finally {
      setIsBusy(false)
    }
  }

  return { form, isBusy, errors, setErrors, failure, submit }
}
