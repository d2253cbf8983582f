import { fillText } from '../../lib/i18n/messages.ts'
import type { ServerMessage } from '../../lib/server-messages.ts'
import { translateToRussian } from '../../resources/russian-errors.ts'
import { previewTexts } from './order-preview.texts.ts'

const reasons: Readonly<Record<string, (typeof previewTexts.reasons)[keyof typeof previewTexts.reasons]>> =
  previewTexts.reasons

/** A message of the server in the words of this screen, else in those of all Russian screens. */
export function describePreviewProblem(problem: ServerMessage): string {
  const { code = '', params = {} } = problem
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  return reason === undefined ? translateToRussian(problem) : fillText(reason, params)
}
