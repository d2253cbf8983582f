import type { Resource } from '@karvon/contract/lib/resource.ts'
import type { SubmitResult } from '../components/form/submit.ts'
import { HttpError, getErrorMessage } from '../lib/http.ts'
import { getNouns } from './resource.labels.ts'
import { resourceTexts as texts } from './resource.texts.ts'

type FailureActions = {
  /** Loads the row as it is now. */
  reload: () => void
  alert: (message: string) => Promise<void>
}

/** What the form of a resource shows when a save failed. */
export async function toSubmitFailure<Row>(
  failure: unknown,
  resource: Resource<Row>,
  { reload, alert }: FailureActions,
): Promise<SubmitResult> {
  const nouns = getNouns(resource)
  const fieldProblems = failure instanceof HttpError ? failure.errors : []
  const errors = Object.fromEntries(fieldProblems.map(({ field, message }) => [field, message]))
  if (fieldProblems.some(({ field }) => field === 'updated_at')) {
    const action = { label: texts.loadPresent, run: reload }
    return { ok: false, message: texts.changed(nouns), reason: texts.replaces, action }
  }
  const message = getErrorMessage(failure)
  // A message that is already at its field is not repeated.
  const reason = fieldProblems.some((problem) => problem.message === message) ? undefined : message
  if (resource.quirks.saveFailure === 'thrown') {
    // The server answered without a message.
    const hasNoDetail = failure instanceof HttpError && failure.status > 0 && failure.detail === undefined
    return { ok: false, message: (!hasNoDetail && message) || texts.failed, errors }
  }
  if (resource.quirks.saveFailure === 'alert') {
    await alert(texts.saveFailed(nouns))
    return { ok: false, message: message, errors }
  }
  return { ok: false, message: texts.saveFailed(nouns), reason, errors }
}
