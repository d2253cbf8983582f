import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { Fields } from '@karvon/contract/lib/field.ts'
import {
  fieldError,
  labelledError,
  valueFault,
  type ValueFault,
} from '@karvon/contract/lib/field-messages.ts'
import type { FieldProblem } from '@karvon/contract/lib/problem.ts'
import { oneLine, visibleLine } from '@karvon/contract/lib/schemas.ts'
import type { TSchema } from 'typebox'
import { invalid, type AppError } from './errors.ts'
import { findPeriodProblem } from './period.ts'

// The plugin is CommonJS: its types nest the function one level too deep for an ES module.
const addFormats = formats as unknown as typeof formats.default

/** Characters of a time; more than nine digits of a second have no use. */
const maxTimeLength = 64

function createAjv(options: { coerceTypes: boolean }): Ajv {
  const ajv = new Ajv({ ...options, allErrors: true, verbose: true, strict: false })
  addFormats(ajv, ['date-time'])
  // The library's own check of a text of 1 MB takes a second.
  const { validate: isTime } = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  ajv.addFormat('date-time', (text: string) => text.length <= maxTimeLength && isTime(text))
  ajv.addFormat('date', isRealDay)
  // Ajv's own check divides. It refuses amounts near the upper bound and accepts 0.0100000001.
  ajv.removeKeyword('multipleOf')
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    compile: (step: number) => {
      const decimals = String(step).split('.')[1]?.length ?? 0
      return (value: number) => Number(value.toFixed(decimals)) === value
    },
  })
  return ajv
}

/** A real day of the years 1 to 9999, the range that PostgreSQL and ISO 8601 share. */
function isRealDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined || year < 1) return false
  // Day 0 of the next month is the last day of this one. Date.UTC misreads years below 100, so 2000 is added;
  // leap years stay equal.
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  )
}

// The values of a URL are texts, so they are converted. JSON has types.
const addressAjv = createAjv({ coerceTypes: true })
const bodyAjv = createAjv({ coerceTypes: false })

/**
 * Creates the validator of one part of a request. It returns the value, with numbers and booleans of a URL converted,
 * or a 422 with every wrong field, which has its label from `fields`.
 */
export function createValidator(schema: TSchema, part: 'body' | 'address', fields: Fields = {}) {
  // Compiled at the first use, because all schemas together take a quarter of the start.
  let validate: ValidateFunction | undefined
  const numbers = part === 'address' ? listNumbers(schema) : []
  return (value: unknown): { value: unknown } | { error: AppError } => {
    for (const { name, pattern, fault } of numbers) {
      const texts = [(value as Record<string, unknown>)[name]].flat()
      if (texts.every((text) => typeof text !== 'string' || pattern.test(text))) continue
      return { error: invalid([fieldError(name, fault, { label: fields[name]?.label ?? name })]) }
    }
    validate ??= (part === 'body' ? bodyAjv : addressAjv).compile(schema)
    if (!validate(value)) return { error: invalid(listProblems(validate.errors ?? [], schema, fields)) }
    const problem = part === 'address' ? findPeriodProblem(value) : null
    return problem === null ? { value } : { error: invalid([problem]) }
  }
}

/**
 * The texts of numbers in an address. Coercion alone would read `0x1`, `1e0` and `01` as 1, so that one row would have many
 * URLs, and `0x10` as an amount.
 */
const numberForms: Readonly<
  Record<string, { pattern: RegExp; fault: 'must_be_whole_number' | 'must_be_number' }>
> = {
  integer: { pattern: /^(?:0|-?[1-9]\d*)$/, fault: 'must_be_whole_number' },
  number: { pattern: /^-?\d+(?:\.\d+)?$/, fault: 'must_be_number' },
}

/** The parameters that are numbers or lists of numbers, with their {@link numberForms}. */
function listNumbers(schema: TSchema) {
  type Numbers = { type?: string; items?: { type?: string } }
  const { properties = {} } = schema as { properties?: Record<string, Numbers> }
  return Object.entries(properties).flatMap(([name, { type, items }]) => {
    const form = numberForms[items?.type ?? type ?? '']
    return form === undefined ? [] : [{ name, ...form }]
  })
}

function listProblems(errors: readonly ErrorObject[], schema: TSchema, fields: Fields): FieldProblem[] {
  const byField = new Map<string, FieldProblem>()
  for (const error of errors) {
    const path = getPathOfError(error, schema)
    const field = path.join('.')
    if (byField.has(field)) continue
    const label = fields[field]?.label ?? path.at(-1) ?? 'body'
    byField.set(field, labelledError(field, label, findFault(error, label, fields[field]?.kind)))
  }
  // An object that may be null has an error of its own if one of its fields has one.
  const names = [...byField.keys()]
  const isParent = (field: string) => names.some((name) => name.startsWith(`${field}.`))
  return [...byField.values()].filter(({ field }) => !isParent(field))
}

/**
 * The names from the body to the field with an error, such as `schedule` and `time`. Entries of a list, and of an object
 * without declared fields, are no fields.
 */
function getPathOfError({ instancePath, params }: ErrorObject, schema: TSchema): string[] {
  const [, ...parts] = instancePath.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const missingProperty: unknown = params.missingProperty
  if (typeof missingProperty === 'string') parts.push(missingProperty)
  const path = parts.slice(0, 1)
  let properties = findProperties(findProperties(schema)[path[0] ?? ''])
  for (const part of parts.slice(1)) {
    if (!Object.hasOwn(properties, part)) break
    path.push(part)
    properties = findProperties(properties[part])
  }
  return path
}

type Properties = Readonly<Record<string, TSchema>>

/** The declared fields of an object that may be null. */
function findProperties(schema: TSchema | undefined): Properties {
  const { properties, anyOf = [] } = (schema ?? {}) as { properties?: Properties; anyOf?: TSchema[] }
  return properties ?? anyOf.map(findProperties).find((entry) => Object.keys(entry).length > 0) ?? {}
}

const oneLinePattern = new RegExp(oneLine, 'u')

const typeFaults: Record<string, ValueFault> = {
  integer: valueFault('must_be_whole_number'),
  number: valueFault('must_be_number'),
  string: valueFault('must_be_text'),
  boolean: valueFault('must_be_boolean'),
  array: valueFault('must_be_list'),
  object: valueFault('must_be_object'),
}

function findFault(error: ErrorObject, label: string, kind: string | undefined): ValueFault {
  const { keyword, params, data } = error
  const limit = String(error.schema)
  const isEmpty = data === null || data === ''
  if (keyword === 'required' || (isEmpty && ['type', 'minLength', 'anyOf'].includes(keyword)))
    return valueFault('required')
  switch (keyword) {
    case 'type':
      return typeFaults[String(params.type)] ?? valueFault('must_be_other_type')
    case 'minimum':
      return valueFault('below_minimum', { min: limit })
    case 'maximum':
      return valueFault('above_maximum', { max: limit })
    case 'minLength':
      return valueFault('too_short', { min: limit })
    case 'maxLength':
      return valueFault('too_long', { max: limit })
    case 'maxItems':
      return valueFault('too_many_entries', { max: limit })
    case 'multipleOf':
      return valueFault('too_many_decimals', { max: 2 })
    case 'pattern':
      if (kind === 'url') return valueFault('must_be_http_url')
      if ([oneLine, visibleLine].includes(limit) && !oneLinePattern.test(String(data)))
        return valueFault('must_be_one_line')
      return valueFault(kind === 'email' || label === 'email' ? 'must_be_email' : 'not_valid')
    case 'format':
      return valueFault(limit === 'date' ? 'must_be_day' : 'must_be_time')
    case 'const':
    case 'enum':
      return valueFault('must_be_offered')
    default:
      return valueFault('not_valid')
  }
}
