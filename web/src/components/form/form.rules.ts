import { maxMoney } from '@karvon/contract/lib/limits.ts'
import { parseDecimal } from '../../lib/format/number.format.ts'
import type { Option } from '../fields/options.ts'
import type { OptionSearch } from '../fields/option-search.hook.ts'
import { getLengthError } from '../fields/max-length.ts'
import type { UiTexts } from '../texts.ts'

/** A text, exact decimal text or an option's value; a checkbox; several options' values; a file. */
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
  | 'date'
  | 'textarea'
  | 'select'
  | 'multiselect'
  | 'checkbox'
  | 'radio'
  | 'file'

/** One field of a {@link Form}. `name` is the key of its value. */
export type FormField = {
  name: string
  label: string
  kind: FieldKind
  required?: boolean
  /** Whether the field is shown and validated. Default: always. A hidden field keeps its value. */
  isShown?: (values: FormValues) => boolean
  /** For select, multiselect and radio. */
  options?: readonly Option[]
  /** The search on the server behind the options of a select or a multiselect. */
  onSearch?: OptionSearch
  /**
   * An additional rule for a field that is not empty. Returns a message, or nothing when the value is valid.
   */
  validate?: (value: FieldValue, values: FormValues) => string | null | undefined
  hint?: string
  /** A warning about a value that is still accepted. It is shown beside the hint. */
  warning?: (value: FieldValue) => string | null
  placeholder?: string
  /** Half the row, or a full row (the default). */
  width?: 'half' | 'full'
  disabled?: boolean
  autoComplete?: string
  maxLength?: number
  /** For a text or an amount: the keyboard of a phone. The one of an iPhone for amounts has no minus, the `text` one has. */
  inputMode?: 'numeric' | 'text'
  /** For a textarea: the number of lines, and a monospaced font. */
  rows?: number
  mono?: boolean
  /** For a file: extensions without dots. */
  accept?: readonly string[]
}

export const selectShownFields = (fields: readonly FormField[], values: FormValues): FormField[] =>
  fields.filter(({ isShown }) => isShown?.(values) ?? true)

/** The empty value of a kind. */
function getEmptyValue(kind: FieldKind): FieldValue {
  if (kind === 'checkbox') return false
  if (kind === 'multiselect') return []
  return kind === 'file' ? null : ''
}

/** The initial value of every field, else the empty value of its kind. Null for a checkbox means unknown. */
export function getInitialValues(fields: readonly FormField[], initial: FormValues = {}): FormValues {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = initial[name]
      return [name, value === undefined ? getEmptyValue(kind) : value]
    }),
  )
}

/** The trimmed text of a field. Empty for a value that is not a text. */
export const readFieldText = (value: FieldValue | undefined): string =>
  typeof value === 'string' ? value.trim() : ''

function isEmpty(value: FieldValue): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return Array.isArray(value) ? value.length === 0 : value === null || value === false
}

/** The error of a text that is longer than the server accepts. The server trims all texts but passwords. */
function validateLength({ kind, label, maxLength }: FormField, value: FieldValue, texts: UiTexts) {
  if (typeof value !== 'string') return null
  return getLengthError(kind === 'password' ? value : value.trim(), { label, maxLength, texts })
}

function validateKind(field: FormField, value: FieldValue, texts: UiTexts): string | null {
  const { kind, options = [], onSearch } = field
  const text = typeof value === 'string' ? value.trim() : ''
  // Like the browser's own rule: text on both sides of one @.
  if (kind === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text)) return texts.invalidEmail
  if (kind === 'url' && !(/^https?:\/\//i.test(text) && URL.canParse(text))) return texts.invalidUrl
  if (kind === 'number' && parseDecimal(text, 0) === null) return texts.invalidNumber
  if (kind === 'money') {
    const amount = parseDecimal(text, 2)
    if (amount === null) return texts.invalidMoney
    if (Math.abs(Number(amount)) > maxMoney) return texts.tooLarge
  }
  if ((kind === 'select' || kind === 'radio') && !onSearch && options.length > 0) {
    return options.some((option) => option.value === value) ? null : texts.invalidOption
  }
  return null
}

/** The error of one field, or null when it is valid. */
function validateField(field: FormField, values: FormValues, texts: UiTexts): string | null {
  const value = values[field.name] ?? getEmptyValue(field.kind)
  if (isEmpty(value)) return field.required ? texts.fieldRequired({ label: field.label }) : null
  return (
    validateLength(field, value, texts) ??
    validateKind(field, value, texts) ??
    field.validate?.(value, values) ??
    null
  )
}

/** The errors of the shown fields by name. Empty when all are valid. */
export function validateForm(fields: readonly FormField[], values: FormValues, texts: UiTexts): FormErrors {
  const errors: FormErrors = {}
  for (const field of selectShownFields(fields, values)) {
    const error = field.disabled ? null : validateField(field, values, texts)
    if (error) errors[field.name] = error
  }
  return errors
}
