import type { SubmitResult } from './form.tsx'
import { HttpError, getErrorMessage } from '../../lib/http.ts'

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
