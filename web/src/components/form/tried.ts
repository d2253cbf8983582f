import type { SubmitResult } from './form.tsx'
import { HttpError, reasonOf } from '../../lib/http.ts'

/** Does it, and puts a refusal beside its field. */
export async function tried(work: () => Promise<void>): Promise<SubmitResult> {
  try {
    await work()
    return { ok: true }
  } catch (failure) {
    const known = failure instanceof HttpError ? failure.errors : []
    const errors = Object.fromEntries(known.map(({ field, message }) => [field, message]))
    return { ok: false, message: reasonOf(failure), errors }
  }
}
