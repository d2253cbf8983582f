import type { Fields } from '@karvon/contract/lib/field.ts'
import { invalid } from './errors.ts'
import { maxJsonDepth } from '../limits/limits.ts'

/**
 * Refuses what no form sends: control characters and halves of surrogate pairs in
 * any string or key, and values nested too deeply. Errors: 422 naming the field.
 */
export function refuseMalformed(value: unknown, fields: Fields = {}): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const problem = storable(key) ? found(inner) : 'holds a character that cannot be stored'
    if (problem === null) continue
    const field = storable(key) ? key : 'body'
    throw invalid([{ field, message: `${fields[field]?.label ?? field} ${problem}` }])
  }
}

/** Control characters other than tab, line feed and carriage return: PostgreSQL cannot hold NUL, the others have no use. */
const control = /[^\P{Cc}\t\n\r]/u
const controls = new RegExp(control, 'gu')

/** Whether a text holds nothing that is refused. */
const storable = (text: string): boolean => !control.test(text) && text.isWellFormed()

/** A text of an outside system or a file, without its control characters. */
export const withoutControls = (text: string): string =>
  control.test(text) ? text.replaceAll(controls, '') : text

function found(value: unknown): string | null {
  const open: [unknown, number][] = [[value, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [each, depth] = next
    if (typeof each === 'string' && !storable(each)) return 'holds a character that cannot be stored'
    if (typeof each !== 'object' || each === null) continue
    if (depth >= maxJsonDepth) return 'is nested too deeply'
    for (const [key, inner] of Object.entries(each)) {
      if (!storable(key)) return 'holds a character that cannot be stored'
      open.push([inner, depth + 1])
    }
  }
  return null
}
