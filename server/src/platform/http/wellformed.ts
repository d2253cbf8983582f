import type { Fields } from '@karvon/contract/lib/field.ts'
import { labelledError, valueFault, type ValueFault } from '@karvon/contract/lib/field-messages.ts'
import { visibleText } from '@karvon/contract/lib/schemas.ts'
import { invalid } from './errors.ts'
import { maxJsonDepth, maxJsonEntries } from '../limits/limits.ts'

/**
 * Refuses values that no form sends: control characters and halves of surrogate pairs in any string or key, values that
 * are nested too deeply, and lists and objects with so many entries that a check of each one would block the process.
 * Errors: 422 with the field.
 */
export function refuseMalformed(value: unknown, fields: Fields = {}): void {
  if (typeof value !== 'object' || value === null) return
  if (countEntries(value) > maxJsonEntries) throw invalid([labelledError('body', 'body', tooManyEntries)])
  for (const [key, member] of Object.entries(value)) {
    const fault = isStorable(key) ? findFault(member) : unstorable
    if (fault === null) continue
    const field = isStorable(key) ? key : 'body'
    throw invalid([labelledError(field, fields[field]?.label ?? field, fault)])
  }
}

/**
 * Control characters except tab, line feed and carriage return. PostgreSQL cannot store NUL; the others are useless.
 */
const controlCharacter = /[^\P{Cc}\t\n\r]/u
const controlCharacters = new RegExp(controlCharacter, 'gu')

const isStorable = (text: string): boolean => !controlCharacter.test(text) && text.isWellFormed()

/** For texts of outside systems and files. */
export const removeControlCharacters = (text: string): string =>
  controlCharacter.test(text) ? text.replaceAll(controlCharacters, '') : text

const visibleCharacter = new RegExp(visibleText, 'u')

/** Whether a text of a file or an outside system is empty: it has only spaces, control and invisible characters. */
export const isBlank = (text: string): boolean => !visibleCharacter.test(text)

const unstorable = valueFault('unstorable_character')
const tooManyEntries = valueFault('too_many_entries', { max: String(maxJsonEntries) })

const countEntries = (value: object): number =>
  Array.isArray(value) ? value.length : Object.keys(value).length

function findFault(value: unknown): ValueFault | null {
  const pending: [unknown, number][] = [[value, 0]]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [part, depth] = next
    if (typeof part === 'string' && !isStorable(part)) return unstorable
    if (typeof part !== 'object' || part === null) continue
    if (depth >= maxJsonDepth) return valueFault('nested_too_deeply')
    if (countEntries(part) > maxJsonEntries) return tooManyEntries
    for (const [key, member] of Object.entries(part)) {
      if (!isStorable(key)) return unstorable
      pending.push([member, depth + 1])
    }
  }
  return null
}
