import { cutText } from '@karvon/contract/lib/cut-text.ts'
import { fieldError, labelledError, valueFault } from '@karvon/contract/lib/field-messages.ts'
import type { FieldProblem } from '@karvon/contract/lib/problem.ts'
import {
  allPostbackParamNames,
  postbackParamNames,
  subParamNames,
  type PostbackField,
} from '@karvon/contract/postbacks/postbacks.params.ts'
import type { FastifyRequest } from 'fastify'
import { invalid } from '../../platform/http/errors.ts'
import { groupFields } from '../../platform/http/form-fields.ts'
import { readFormFields } from '../../platform/http/multipart.ts'
import { isBlank, refuseMalformed, removeControlCharacters } from '../../platform/http/wellformed.ts'
import { formatNumber } from '../../platform/spreadsheets/spreadsheets.text.ts'
import {
  parseCurrency,
  parseDecimal,
  parseTime,
  createUtf8Parser,
  dropExtraZeros,
  refuseFuture,
  createTextParser,
  type CellResult,
} from '../../platform/spreadsheets/spreadsheets.values.ts'

/** The parameters of one postback, by name. A parameter with several different values has a list. */
export type PostbackParams = ReadonlyMap<string, string | readonly string[]>

/** What the parameters say about a lead; null where a parameter is absent. Money and times are valid. */
export interface PostbackValues {
  external_id: string | null
  source_status: string | null
  payout: string | null
  currency: string | null
  created_at: string | null
  updated_at: string | null
  offer: string | null
  offer_extra_id: string | null
  comment: string | null
  region: string | null
  cancel_reason: string | null
  /** sub1 to sub15, goal, and click, which names our stream. */
  subs: Record<string, string>
}

/** Reads the parameters of the URL alone. The log keeps these when the body is unreadable. */
export function readQueryParams(request: FastifyRequest): Map<string, string | string[]> {
  const queryStart = request.url.indexOf('?')
  const pairs = queryStart < 0 ? [] : [...new URLSearchParams(request.url.slice(queryStart + 1))]
  const params = groupFields(pairs.map(([name, value]) => [name, value.trim()]))
  for (const [name, value] of params) if (typeof value === 'string' && isBlank(value)) params.delete(name)
  return params
}

/** Reads the parameters of the URL and of the body; the body takes precedence. Errors: 400, 413, 422 for an unreadable body. */
export async function readParams(request: FastifyRequest): Promise<PostbackParams> {
  const params = readQueryParams(request)
  const body = request.isMultipart() ? await readFormFields(request) : (request.body ?? {})
  if (typeof body !== 'object' || Array.isArray(body)) throw invalid([fieldError('body', 'body_not_object')])
  refuseMalformed(body)
  for (const [name, value] of Object.entries(body)) {
    const text = bodyValueText(value)
    if (text !== '') params.set(name, text)
  }
  return params
}

/** A network that calculates with double numbers sends 0.30000000000000004, which is 0.3. */
function bodyValueText(value: unknown): string | string[] {
  if (typeof value === 'string') return isBlank(value) ? '' : value.trim()
  if (typeof value === 'number' && !Number.isInteger(value)) return formatNumber(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null) return ''
  const isList = Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === 'string')
  return isList ? value : [JSON.stringify(value)]
}

/** Returns true if every secret parameter that is present equals the key of the source. Secrets are optional. */
export function hasValidSecret(params: PostbackParams, key: string): boolean {
  return postbackParamNames.secret.every((name) =>
    [params.get(name) ?? key].flat().every((secret) => secret === key),
  )
}

/** Parses the parameters under every name that a network may use. `problems` are invalid values. */
export function parseParams(params: PostbackParams): {
  values: PostbackValues
  problems: FieldProblem[]
  missingParams: FieldProblem[]
} {
  const problems: FieldProblem[] = []
  const parseParam = (name: string, parse: (text: string) => CellResult<string>): string | null => {
    const text = params.get(name)
    if (text === undefined) return null
    const result = typeof text === 'string' ? parse(text) : { fault: valueFault('several_values') }
    if (result.fault === undefined) return result.value
    problems.push(labelledError(name, name, result.fault))
    return null
  }
  const parseField = (field: PostbackField, parse: (text: string) => CellResult<string>): string | null => {
    const name = postbackParamNames[field].find((paramName) => params.has(paramName))
    return name === undefined ? null : parseParam(name, parse)
  }
  const external_id = parseField('external_id', createTokenParser(255))
  const source_status = parseField('status', createTokenParser(100))
  const subs: [string, string | null][] = subParamNames.map((name) => [
    name,
    parseParam(name, createTextParser(1000)),
  ])
  subs.push(
    ['click', parseField('click', createUtf8Parser(255))],
    ['goal', parseField('goal', createTextParser(255))],
  )
  return {
    values: {
      external_id,
      source_status,
      payout: parseField('payout', readPayout),
      currency: parseField('currency', parseCurrency),
      created_at: parseField('created_at', readPastTime),
      updated_at: parseField('updated_at', readPastTime),
      offer: parseField('offer', createUtf8Parser(255)),
      offer_extra_id: parseField('offer_id', createUtf8Parser(255)),
      comment: parseField('comment', createTextParser(2000)),
      region: parseField('region', createTextParser(255)),
      cancel_reason: parseField('cancel_reason', createTextParser(255)),
      subs: Object.fromEntries(subs.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    },
    problems,
    missingParams: [
      ...findMissingParam('external_id', 'The network’s id of the lead', params),
      ...findMissingParam('status', 'The status', params),
    ],
  }
}

/** A macro alone, such as `{tid}`, `{{status}}`, `${click.id}` or `[tid]`. A GUID in braces is none. */
const macroPattern = /^(?:\$?\{{1,2}[a-z_.]{1,60}\d{0,2}\}{1,2}|\[[a-z_.]{1,60}\d{0,2}\])$/i

/**
 * A parser of an id or a status. A network that does not know a macro of its postback URL sends the macro itself, the same
 * for each lead, so that all of them would become one lead.
 */
function createTokenParser(max: number): (text: string) => CellResult<string> {
  const parse = createUtf8Parser(max)
  return (text) => (macroPattern.test(text) ? { fault: valueFault('macro_not_replaced') } : parse(text))
}

function findMissingParam(field: PostbackField, label: string, params: PostbackParams): FieldProblem[] {
  const names: readonly string[] = postbackParamNames[field]
  if (names.some((name) => params.has(name))) return []
  return [fieldError(names[0] ?? field, 'parameter_missing', { label, names: names.join(', ') })]
}

const readPayout = (text: string) => parseDecimal(dropExtraZeros(text, 2), 2)

/** ISO 8601, or seconds or milliseconds since 1970: up to 11 digits are seconds, which is the year 5138. */
function readTime(text: string): CellResult<string> {
  const [, digits, fraction = ''] = /^(\d{9,14})(\.\d+)?$/.exec(text) ?? []
  if (digits !== undefined) {
    const seconds = digits.length > 11 ? Number(digits) / 1000 : Number(`${digits}${fraction}`)
    return parseTime(new Date(Math.round(seconds * 1000)).toISOString())
  }
  // A + that was not encoded arrives as a space.
  return parseTime(text.replace(/(:\d\d(?:\.\d+)?) (\d\d:?\d\d)$/, '$1+$2'))
}

const readPastTime = (text: string) => refuseFuture(readTime(text))

const secretParamNames: ReadonlySet<string> = new Set(postbackParamNames.secret)
const mask = '…'
// Limits of the log, in characters. maxUnknownLength is the sum of all parameters whose names we do not know.
const maxNameLength = 100
const maxValueLength = 2000
const maxUnknownLength = 4000

/**
 * Returns the parameters as the log keeps them: known names first, secrets masked, long values shortened.
 * `key` is the postback key of the source; null where no source has the key of the request.
 */
export function maskParams(params: PostbackParams, key: string | null): Record<string, string> {
  const maskedParams: [string, string][] = []
  let remainingLength = maxUnknownLength
  for (const name of new Set([...allPostbackParamNames, ...params.keys()])) {
    const value = params.get(name)
    if (value === undefined) continue
    const text = isSecret(name, value, key)
      ? mask
      : cutText(typeof value === 'string' ? value : joinValues(value), maxValueLength)
    if (!allPostbackParamNames.includes(name))
      remainingLength -= Math.min(name.length, maxNameLength) + text.length
    if (remainingLength < 0) break
    maskedParams.push([toStorable(cutText(name, maxNameLength)), toStorable(text)])
  }
  return Object.fromEntries(maskedParams)
}

/** A secret parameter in any letter case, or a value under any name that contains the key. */
const isSecret = (name: string, value: string | readonly string[], key: string | null) =>
  secretParamNames.has(name.toLowerCase()) ||
  (key !== null && [value].flat().some((valueText) => valueText.includes(key)))

const joinValues = (values: readonly string[]) => values.join(', ')
const toStorable = (text: string) => removeControlCharacters(text.replaceAll('\0', '\uFFFD')).toWellFormed()
