import type { Field, Kind, Named } from '@karvon/contract/kit/field.ts'
import { referenceName, writable, type Resource } from '@karvon/contract/kit/resource.ts'
import type { FieldKind, FieldValue, FormField, FormValues } from '../ui/form/form.rules.ts'
import type { Option } from '../ui/fields/radio-group.tsx'
import { speak, speakAt } from '../ui/language/language.ts'
import { jsonFault } from './json.place.ts'
import { searchNames, type References } from './references.ts'
import { resourceTexts } from './resource.texts.ts'

/** A row by its wire names, as a declaration's keys reach into it. */
export type AnyRow = Readonly<Record<string, unknown>>

const inputs: Readonly<Partial<Record<Kind, FieldKind>>> = {
  'long-text': 'textarea',
  email: 'email',
  url: 'url',
  secret: 'password',
  password: 'password',
  integer: 'number',
  money: 'money',
  boolean: 'checkbox',
  choice: 'select',
  json: 'textarea',
  reference: 'select',
  references: 'multiselect',
}
const wide: ReadonlySet<Kind> = new Set(['long-text', 'json', 'references'])
const isKept = (field: Field) => field.kind === 'secret' || field.kind === 'password'

/** What a reference of a row points to, as the row itself carries it. */
export function namedIn(row: AnyRow | undefined, key: string): Named | undefined {
  const value = row?.[referenceName(key)]
  return typeof value === 'object' && value !== null && 'name' in value ? (value as Named) : undefined
}

/** The form's fields; `row` is undefined when one is created. `hidden` fields are left out. */
export function formFields(
  of: Resource,
  references: References,
  row: AnyRow | undefined,
  hidden: readonly string[] = [],
): FormField[] {
  return writable(of.fields)
    .filter(([key]) => !hidden.includes(key))
    .map(([key, field]) => {
      const chosen = namedIn(row, key)
      const mask = row?.[key]
      return {
        name: key,
        label: speakAt(of.name, field.label),
        kind: inputs[field.kind] ?? 'text',
        required: field.need === 'save' || (field.need === 'create' && row === undefined),
        width: wide.has(field.kind) || key === of.naming ? 'full' : 'half',
        ...(field.to !== undefined && {
          options: references.optionsOf(field, chosen ? [chosen] : []),
          ...(references.isPartial(field) && { onSearch: searchNames(field.to) }),
        }),
        ...(field.options && { options: choicesOf(field), placeholder: speak(field.unchosen) }),
        ...(isKept(field) && row !== undefined && { hint: resourceTexts.keptSecret }),
        ...(isKept(field) && typeof mask === 'string' && { placeholder: mask }),
        ...(field.kind === 'json' && { validate: jsonProblem, rows: 8, mono: true }),
      }
    })
}

/** A choice's values with what a person reads for each. */
export const choicesOf = ({ options = {} }: Field): Option[] =>
  Object.entries(speak(options)).map(([value, label]) => ({ value, label }))

/** What keeps a text from being a JSON object, and where; null when it is one. */
export function jsonProblem(value: FieldValue): string | null {
  if (typeof value !== 'string') return resourceTexts.invalidJson
  try {
    const parsed: unknown = JSON.parse(value)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? null : resourceTexts.invalidJson
  } catch {
    const fault = jsonFault(value)
    return fault === null ? resourceTexts.invalidJson : resourceTexts.jsonFault(fault.line, fault.column)
  }
}

/** A value of the wire as text; an object as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : JSON.stringify(value, null, 2)
}

/** What a form starts with: the row's values, or a declaration's fallbacks. Secrets start empty. */
export function startOf(of: Resource, row: AnyRow | undefined): FormValues {
  const values: FormValues = {}
  for (const [key, field] of writable(of.fields)) {
    const value = row === undefined ? field.fallback : row[key]
    if (isKept(field) || value === undefined || value === null) continue
    values[key] = typeof value === 'boolean' ? value : textOf(value)
  }
  return values
}

/** A form's values as the wire takes them; a secret left empty is left out, so that it stays. */
export function bodyOf(of: Resource, values: FormValues): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [key, field] of writable(of.fields)) {
    const value = values[key]
    if (value === undefined || (isKept(field) && value === '')) continue
    body[key] = wireValue(field, value)
  }
  return body
}

function wireValue({ kind }: Field, value: FieldValue): unknown {
  if (Array.isArray(value)) return value.map(Number)
  if (typeof value !== 'string') return value
  if (kind === 'secret' || kind === 'password') return value
  const text = value.trim()
  if (text === '') return null
  if (kind === 'integer' || kind === 'money' || kind === 'reference') return Number(text)
  return kind === 'json' ? JSON.parse(text) : text
}
