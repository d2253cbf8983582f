import type { Received } from '@karvon/contract/lib/received.ts'
import { isClearText, type Field, type Kind, type Named } from '@karvon/contract/lib/field.ts'
import { getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import type { FieldKind, FieldValue, FormField, FormValues } from '../components/form/form.rules.ts'
import type { Option } from '../components/fields/options.ts'
import { getLabel } from './resource.labels.ts'
import { findJsonError } from '../lib/json.syntax.ts'
import { searchOptions, type ReferenceOptions } from './reference-options.ts'
import { formatValue, getChoiceOptions, readReference, type AnyRow } from './resource-fields.ts'
import { isAnnounced } from '../lib/settings.store.ts'
import { resourceTexts } from './resource.texts.ts'

const fieldKinds: Readonly<Partial<Record<Kind, FieldKind>>> = {
  'long-text': 'textarea',
  email: 'email',
  url: 'url',
  secret: 'password',
  password: 'password',
  integer: 'number',
  money: 'money',
  day: 'date',
  boolean: 'checkbox',
  choice: 'select',
  json: 'textarea',
  reference: 'select',
  references: 'multiselect',
}
const fullWidthKinds: ReadonlySet<Kind> = new Set(['long-text', 'json', 'references'])
const isSecretField = (field: Field) => field.kind === 'secret' || field.kind === 'password'

/** The fields of a form: those that can be written and that the host has. */
const getFormEntries = (resource: Resource) =>
  getWritableFields(resource.fields).filter(([, { feature }]) => isAnnounced(feature))

/** The option value of a row of which only the name is known. */
const toNameValue = (name: string) => `name:${name}`

/** The options of a reference, including the current one. */
function getReferenceOptions(
  field: Field,
  references: ReferenceOptions,
  { id, name }: Received<Named> = {},
): Option[] {
  if (typeof id === 'number') return [...references.getOptions(field, [{ id, name }])]
  const options = references.getOptions(field)
  if (!name) return [...options]
  return [{ value: toNameValue(name), label: name }, ...options.filter(({ label }) => label !== name)]
}

/** The fields of the form. `row` is undefined on create. `hidden` fields are omitted. */
export function buildFormFields(
  resource: Resource,
  references: ReferenceOptions,
  { row, hidden = [] }: { row: AnyRow | undefined; hidden?: readonly string[] | undefined },
): FormField[] {
  return getFormEntries(resource)
    .filter(([key]) => !hidden.includes(key))
    .map(([key, field], index) => {
      const isTitle = index === 0 && key === resource.nameField
      const mask = row?.[key]
      return {
        name: key,
        label: getLabel(field.label, resource.name),
        kind: fieldKinds[field.kind] ?? 'text',
        required: field.required === 'always' || (field.required === 'create' && row === undefined),
        width: fullWidthKinds.has(field.kind) || isTitle ? 'full' : 'half',
        ...(field.target !== undefined && {
          options: getReferenceOptions(field, references, readReference(row, key)),
          ...(references.isPartial(field) && { onSearch: searchOptions(field.target) }),
        }),
        ...(field.options && {
          options: getChoiceOptions(field),
          placeholder: field.emptyLabel && getLabel(field.emptyLabel),
        }),
        ...(isSecretField(field) && row !== undefined && { hint: resourceTexts.keptSecret }),
        ...(isSecretField(field) && typeof mask === 'string' && { placeholder: mask }),
        ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
        ...(field.receivesPrivateData && { warning: warnAboutClearText }),
        ...(field.kind === 'json' && { validate: validateJson, rows: 8, mono: true }),
      }
    })
}

const warnAboutClearText = (value: FieldValue): string | null =>
  typeof value === 'string' && isClearText(value.trim()) ? resourceTexts.clearText : null

/** The error of a text that is not a JSON object, with its position. Null when it is one. */
export function validateJson(value: FieldValue): string | null {
  if (typeof value !== 'string') return resourceTexts.invalidJson
  try {
    const parsedValue: unknown = JSON.parse(value)
    const isObject = typeof parsedValue === 'object' && parsedValue !== null && !Array.isArray(parsedValue)
    return isObject ? null : resourceTexts.invalidJson
  } catch {
    const position = findJsonError(value)
    return position === null
      ? resourceTexts.invalidJson
      : resourceTexts.jsonFault({ line: position.line, column: position.column })
  }
}

/**
 * The initial values of a form: those of the row, or the defaults of the declaration. Secrets start empty. A
 * value that the row does not have is omitted, but an unknown boolean is null.
 */
export function toFormValues(resource: Resource, row: AnyRow | undefined): FormValues {
  const values: FormValues = {}
  for (const [key, field] of getFormEntries(resource)) {
    const value = row === undefined ? field.fallback : toFormValue(row, key, field)
    if (isSecretField(field) || value === undefined) continue
    values[key] = typeof value === 'boolean' ? value : value === null ? '' : formatValue(value)
    if (field.kind === 'boolean' && typeof value !== 'boolean') values[key] = null
  }
  return values
}

function toFormValue(row: AnyRow, key: string, { kind }: Field): unknown {
  if (kind === 'boolean') return row[key] ?? null
  if (kind !== 'reference') return row[key]
  const { id, name } = readReference(row, key) ?? {}
  return id ?? (name ? toNameValue(name) : row[key])
}

const isEmptyValue = (value: FieldValue) => value === '' || (Array.isArray(value) && value.length === 0)

interface BodyOptions {
  readonly startValues?: FormValues | undefined
  readonly findId?: ReferenceOptions['findId']
}

/**
 * The body of a request with a form's values. It omits an empty secret, and in an edit (with `startValues`) a field
 * that the row lacks and the form leaves empty. `findId` finds a row by its name.
 */
export function toRequestBody(
  resource: Resource,
  values: FormValues,
  { startValues, findId = () => undefined }: BodyOptions = {},
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [key, field] of getFormEntries(resource)) {
    const value = values[key]
    if (value === undefined || value === null || (isSecretField(field) && value === '')) continue
    if (startValues && !(key in startValues) && isEmptyValue(value)) continue
    const name = field.kind === 'reference' && typeof value === 'string' && /^name:(.*)$/s.exec(value)?.[1]
    const wireValue = name ? findId(field, name) : toWireValue(field, value)
    if (wireValue !== undefined) body[key] = wireValue
  }
  return body
}

function toWireValue({ kind }: Field, value: FieldValue): unknown {
  if (Array.isArray(value)) return value.map(Number)
  if (typeof value !== 'string') return value
  if (kind === 'secret' || kind === 'password') return value
  const text = value.trim()
  if (text === '') return null
  if (kind === 'integer' || kind === 'money' || kind === 'reference') return Number(text)
  return kind === 'json' ? JSON.parse(text) : text
}
