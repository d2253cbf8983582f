import { parseDecimal } from '../../lib/format/number.format.ts'
import type { Option } from '../fields/radio-group.tsx'
import type { OptionSearch } from '../fields/listbox.hook.ts'
import type { UiTexts } from '../texts.ts'

/** Text, exact decimal text, an option's value; on or off; several options' values; a file. */
export type FieldValue = string | boolean | string[] | File | null
export type FormValues = Record<string, FieldValue>
export type FormErrors = Record<string, string>

export type FieldKind =
  | 'text'
  | 'email'
  | 'url'
  | 'password'
  | 'number'
  | 'money'
  | 'textarea'
  | 'select'
  | 'multiselect'
  | 'checkbox'
  | 'radio'
  | 'file'

/** One field of a {@link Form}. Its value is kept under `name`. */
export type FormField = {
  name: string
  label: string
  kind: FieldKind
  required?: boolean
  /** For select, multiselect and radio. */
  options?: readonly Option[]
  /** The server's search behind a select's or a multiselect's options. */
  onSearch?: OptionSearch
  /** Its own rule, asked once the field is filled: a message, or nothing when it is fine. */
  validate?: (value: FieldValue, values: FormValues) => string | null | undefined
  hint?: string
  /** What speaks against a value that is taken all the same, shown beside the hint. */
  warning?: (value: FieldValue) => string | null
  placeholder?: string
  /** Beside another field, or a row of its own (the default). */
  width?: 'half' | 'full'
  disabled?: boolean
  autoComplete?: string
  maxLength?: number
  /** For a text: which keyboard a phone shows. */
  inputMode?: 'numeric'
  /** For a textarea: its lines, and whether every letter is as wide as any other. */
  rows?: number
  mono?: boolean
  /** For a file: extensions without dots. */
  accept?: readonly string[]
}

/** The empty value of a kind. */
function emptyValue(kind: FieldKind): FieldValue {
  if (kind === 'checkbox') return false
  if (kind === 'multiselect') return []
  return kind === 'file' ? null : ''
}

/** Every field with its initial value, or its kind's empty one. Of a checkbox null means that nobody knows yet. */
export function startValues(fields: readonly FormField[], initial: FormValues = {}): FormValues {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = initial[name]
      return [name, value === undefined ? emptyValue(kind) : value]
    }),
  )
}

function isEmpty(value: FieldValue): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return Array.isArray(value) ? value.length === 0 : value === null || value === false
}

function kindError(field: FormField, value: FieldValue, texts: UiTexts): string | null {
  const { kind, options = [], onSearch } = field
  const text = typeof value === 'string' ? value.trim() : ''
  // The browser's own idea of an address: something on both sides of one @.
  if (kind === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text)) return texts.invalidEmail
  if (kind === 'url' && !(/^https?:\/\//i.test(text) && URL.canParse(text))) return texts.invalidUrl
  if (kind === 'number' && parseDecimal(text, 0) === null) return texts.invalidNumber
  if (kind === 'money' && parseDecimal(text, 2) === null) return texts.invalidMoney
  if ((kind === 'select' || kind === 'radio') && !onSearch && options.length > 0) {
    return options.some((option) => option.value === value) ? null : texts.invalidOption
  }
  return null
}

/** The message for one field, or null when it is fine. */
function fieldError(field: FormField, values: FormValues, texts: UiTexts): string | null {
  const value = values[field.name] ?? emptyValue(field.kind)
  if (isEmpty(value)) return field.required ? texts.fieldRequired(field.label) : null
  return kindError(field, value, texts) ?? field.validate?.(value, values) ?? null
}

/** Messages by field name; empty when all fields are fine. */
export function formErrors(fields: readonly FormField[], values: FormValues, texts: UiTexts): FormErrors {
  const errors: FormErrors = {}
  for (const field of fields) {
    const error = field.disabled ? null : fieldError(field, values, texts)
    if (error) errors[field.name] = error
  }
  return errors
}
