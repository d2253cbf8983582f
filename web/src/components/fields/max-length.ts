import type { UiTexts } from '../texts.ts'

/** Whether a text has more characters than the server accepts. The server counts code points. */
export const isTooLong = (text: string, maxLength: number | undefined): boolean =>
  maxLength !== undefined && text.length > maxLength && Array.from(text).length > maxLength

/**
 * The error of a text that is too long, else null. Inputs have no `maxlength` attribute, because browsers
 * silently cut a pasted text.
 */
export const getLengthError = (
  text: string,
  { label, maxLength, texts }: { label: string; maxLength: number | undefined; texts: UiTexts },
): string | null =>
  maxLength !== undefined && isTooLong(text, maxLength) ? texts.tooLong({ label, max: maxLength }) : null

/** Focuses the first field of a form that shows an error. Returns whether there is one. */
export function focusInvalidField(form: HTMLFormElement): boolean {
  const field = form.querySelector<HTMLElement>('[aria-invalid]:is(input,textarea)')
  field?.focus()
  return field !== null
}
