import type { Received } from '@karvon/contract/lib/received.ts'
import { isClearText, type Field, type Kind, type Named } from '@karvon/contract/lib/field.ts'
import { referenceName, writable, type Resource } from '@karvon/contract/lib/resource.ts'
import type { FieldKind, FieldValue, FormField, FormValues } from '../components/form/form.rules.ts'
import type { Option } from '../components/fields/radio-group.tsx'
import { speak, speakAt } from '../lib/i18n/language.ts'
import { jsonFault } from '../lib/json.place.ts'
import { searchNames, type References } from './references.ts'
import { isAnnounced } from '../lib/settings.store.ts'
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

/** The fields that a form shows and sends: those that can be written and that the host has. */
const formEntries = (of: Resource) => writable(of.fields).filter(([, { feature }]) => isAnnounced(feature))

/**
 * What a reference of a row points to: by its id, by the object that the row carries under the field's name without
 * `_id`, or by both. Undefined where the row says neither.
 */
export function referenceIn(row: AnyRow | undefined, key: string): Received<Named> | undefined {
  const object = row?.[referenceName(key)]
  const { id, name } = (typeof object === 'object' && object !== null ? object : {}) as Received<Named>
  const own = row?.[key]
  const known = typeof own === 'number' ? own : id
  if (typeof known !== 'number' && !name) return undefined
  return { ...(typeof known === 'number' && { id: known }), ...(name && { name }) }
}

/** Stands in a form for a row of which only the name is known. */
const byName = (name: string) => `name:${name}`

/** The options of a reference, the one that the row has among them. */
function referenceOptions(
  field: Field,
  references: References,
  row: AnyRow | undefined,
  key: string,
): Option[] {
  const { id, name } = referenceIn(row, key) ?? {}
  if (typeof id === 'number') return [...references.optionsOf(field, [{ id, name }])]
  const options = references.optionsOf(field)
  if (!name) return [...options]
  return [{ value: byName(name), label: name }, ...options.filter(({ label }) => label !== name)]
}

/** The form's fields; `row` is undefined when one is created. `hidden` fields are left out. */
export function formFields(
  of: Resource,
  references: References,
  row: AnyRow | undefined,
  hidden: readonly string[] = [],
): FormField[] {
  return formEntries(of)
    .filter(([key]) => !hidden.includes(key))
    .map(([key, field]) => {
      const mask = row?.[key]
      return {
        name: key,
        label: speakAt(of.name, field.label),
        kind: inputs[field.kind] ?? 'text',
        required: field.need === 'save' || (field.need === 'create' && row === undefined),
        width: wide.has(field.kind) || key === of.naming ? 'full' : 'half',
        ...(field.to !== undefined && {
          options: referenceOptions(field, references, row, key),
          ...(references.isPartial(field) && { onSearch: searchNames(field.to) }),
        }),
        ...(field.options && { options: choicesOf(field), placeholder: speak(field.unchosen) }),
        ...(isKept(field) && row !== undefined && { hint: resourceTexts.keptSecret }),
        ...(isKept(field) && typeof mask === 'string' && { placeholder: mask }),
        ...(field.sends && { warning: clearTextWarning }),
        ...(field.kind === 'json' && { validate: jsonProblem, rows: 8, mono: true }),
      }
    })
}

const clearTextWarning = (value: FieldValue): string | null =>
  typeof value === 'string' && isClearText(value.trim()) ? resourceTexts.clearText : null

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

/**
 * What a form starts with: the row's values, or a declaration's fallbacks. Secrets start empty. What the row does not
 * say is not among them, but for a yes or no, which starts as neither.
 */
export function startOf(of: Resource, row: AnyRow | undefined): FormValues {
  const values: FormValues = {}
  for (const [key, field] of formEntries(of)) {
    const value = row === undefined ? field.fallback : startValue(row, key, field)
    if (isKept(field) || value === undefined) continue
    values[key] = typeof value === 'boolean' ? value : value === null ? '' : textOf(value)
    if (field.kind === 'boolean' && typeof value !== 'boolean') values[key] = null
  }
  return values
}

function startValue(row: AnyRow, key: string, { kind }: Field): unknown {
  if (kind === 'boolean') return row[key] ?? null
  if (kind !== 'reference') return row[key]
  const { id, name } = referenceIn(row, key) ?? {}
  return id ?? (name ? byName(name) : row[key])
}

const isUntouched = (value: FieldValue) => value === '' || (Array.isArray(value) && value.length === 0)

/**
 * A form's values as the wire takes them. Left out, so that it stays as it is: a secret left empty, and in an edit,
 * which has the form's `start`, what the row did not say and nobody filled in. `idOf` finds a row by its name alone.
 */
export function bodyOf(
  of: Resource,
  values: FormValues,
  start?: FormValues,
  idOf: References['idOf'] = () => undefined,
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [key, field] of formEntries(of)) {
    const value = values[key]
    if (value === undefined || value === null || (isKept(field) && value === '')) continue
    if (start && !(key in start) && isUntouched(value)) continue
    const name = field.kind === 'reference' && typeof value === 'string' && /^name:(.*)$/s.exec(value)?.[1]
    const wired = name ? idOf(field, name) : wireValue(field, value)
    if (wired !== undefined) body[key] = wired
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
