import type { Field, Fields } from './field.ts'
import { canBeNull, getWritableFields } from './resource.ts'
import { visibleText } from './schemas.ts'
import { trimText } from './trim-text.ts'

/**
 * Prepares a body for its schema. It trims text, also an API key or a token, and turns an empty or invisible value of an optional
 * field into null. It drops an empty required field on create, an unchanged secret on update, and keys that the resource does not
 * have. It turns an external id that is a whole number into text.
 */
export function normaliseBody(
  fields: Fields,
  body: unknown,
  mode: 'create' | 'update',
): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const entries = new Map(Object.entries(body))
  const normalisedBody: Record<string, unknown> = {}
  for (const [key, f] of getWritableFields(fields)) {
    if (!entries.has(key)) continue
    const value = normaliseValue(f, entries.get(key))
    const isEmpty = value === null || value === ''
    if (isEmpty && mode === 'update' && (f.kind === 'secret' || f.kind === 'password')) continue
    if (isEmpty && mode === 'create' && !canBeNull(f)) continue
    normalisedBody[key] = isEmpty && !Array.isArray(value) ? null : value
  }
  if (mode === 'update' && entries.has('updated_at')) normalisedBody.updated_at = entries.get('updated_at')
  return normalisedBody
}

function normaliseValue(f: Field, value: unknown): unknown {
  if (f.kind === 'external-id' && Number.isSafeInteger(value)) return String(value)
  // A secret that is only written is a password, and may have spaces around it.
  const isPassword = f.kind === 'password' || (f.kind === 'secret' && f.access === 'write')
  if (typeof value !== 'string' || isPassword) return value
  return contentPattern.test(value) ? trimText(value) : ''
}

/** A visible character, or one that a validation refuses: a control character or half of a surrogate pair. */
const contentPattern = new RegExp(String.raw`${visibleText}|[^\P{Cc}\t\n\r]|\p{Cs}`, 'u')
