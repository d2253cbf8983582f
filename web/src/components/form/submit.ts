import { HttpError, getErrorMessage } from '../../lib/http.ts'
import type { FormErrors } from './form.rules.ts'

/** `message` is shown as it is, with `reason` below it. `action` is a button beside the message. */
export type FailureMessage = {
  message: string
  reason?: string | undefined
  action?: { label: string; run: () => void } | undefined
}

/** `errors` go to their fields by name. Errors of unknown fields join the reason. */
export type SubmitFailure = FailureMessage & { errors?: FormErrors | undefined }

/** The result of a submit. No result means success. */
export type SubmitResult = { ok: true; message?: string } | ({ ok: false } & SubmitFailure)

/** Runs an action as a submit. The field errors of a failed call go to their fields. */
export async function submitWithFieldErrors(action: () => Promise<void>): Promise<SubmitResult> {
  try {
    await action()
    return { ok: true }
  } catch (error) {
    const fieldProblems = error instanceof HttpError ? error.errors : []
    const errors = Object.fromEntries(fieldProblems.map(({ field, message }) => [field, message]))
    return { ok: false, message: getErrorMessage(error), errors }
  }
}
