import { getFilterKind, type ExploreFilters } from '@karvon/contract/explore/explore.filters.ts'
import {
  dimensionNames,
  dimensions,
  type DimensionName,
} from '@karvon/contract/explore/explore.dimensions.ts'
import type { Call } from '@karvon/contract/lib/call.ts'
import { cutText } from '@karvon/contract/lib/cut-text.ts'
import { splitFilter } from '@karvon/contract/lib/filter-values.ts'
import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import { fillText, formatLocalDateTime, formatLocalDay, toLine } from '../../platform/texts/texts.ts'
import { hasNames } from '../explore/explore.queries.ts'
import type { ReadNames } from './view-messages.filter-names.ts'
import type { Reference } from './view-messages.filter-names.queries.ts'
import { filterTexts, filterValueTexts } from './view-messages.filter-texts.ts'
import { formatDimension, formatMember } from './view-messages.format.ts'
import { messageTexts } from './view-messages.texts.ts'

/** Values of one filter that a message names. The others are counted. */
const maxValues = 5
/** Characters of one value. */
const maxValue = 40

export interface FilterTextOptions {
  readonly language: PersonLanguage
  readonly timeZone: string
  readonly readNames: ReadNames
}

/** The filters of a question of Explore, one line for each. */
export async function describeExploreFilters(
  filters: ExploreFilters,
  options: FilterTextOptions,
): Promise<string[]> {
  const lines: string[] = []
  for (const name of dimensionNames) {
    const keys = filters[name]
    if (keys !== undefined) lines.push(await describeKeys(name, keys, options))
  }
  return lines
}

type ListQuery = Readonly<Record<string, string | number>>

/** The parameters of lists that a message has as its period, its search and its order. */
const otherParameters = new Set([
  'start_date',
  'end_date',
  'date_from',
  'date_to',
  'search',
  'orderno',
  'name',
  'sort',
])

/** The names of the filters of a list, in their order. */
export const listFilterNames = (query: object): string[] =>
  Object.keys(query).filter((name) => !otherParameters.has(name))

/** The filters of a list, one line for each, without its period and its search. */
export async function describeListFilters(
  query: ListQuery,
  call: Call,
  options: FilterTextOptions,
): Promise<string[]> {
  const lines = await describeExploreFilters(readDimensions(query), options)
  for (const name of listFilterNames(query))
    if (!isDimension(name))
      lines.push(await describeFilter(name, { value: String(query[name]), call }, options))
  return lines
}

/** The filters that the list of leads has in common with Explore, under its names. */
function readDimensions(query: ListQuery): ExploreFilters {
  const withoutNames = new Set(String(query.without ?? '').split(','))
  const filters: Partial<Record<DimensionName, string[]>> = {}
  for (const name of dimensionNames) {
    const { kind, leadFilter } = dimensions[name]
    const value = query[leadFilter]
    const keys =
      kind === 'period' || value === undefined ? [] : splitFilter(String(value), getFilterKind(name))
    if (withoutNames.has(name)) keys.push('')
    if (keys.length > 0) filters[name] = keys
  }
  return filters
}

const isDimension = (parameter: string): boolean =>
  parameter === 'without' || dimensionNames.some((name) => dimensions[name].leadFilter === parameter)

/** Whether a message names a filter in the language of its receiver. */
export const hasFilterName = (parameter: string): boolean =>
  isDimension(parameter) || Object.hasOwn(filterTexts, parameter)

async function describeKeys(
  dimension: DimensionName,
  keys: readonly string[],
  { language, readNames }: FilterTextOptions,
): Promise<string> {
  const shownKeys = keys.slice(0, maxValues)
  const isNone = (key: string) => key === '' || (hasNames(dimension) && key === '0')
  const ids = shownKeys.filter((key) => !isNone(key))
  const names = hasNames(dimension) ? await readNames(dimension, ids) : null
  const values = shownKeys.map((key) => {
    const name = names === null ? null : (names.get(key) ?? `#${key}`)
    return formatMember(dimension, { kind: isNone(key) ? 'none' : 'value', key, name }, language)
  })
  return writeFilter(formatDimension(dimension, language), values, keys.length - shownKeys.length)
}

/** What the ids of a parameter that is no dimension are. */
const references: Readonly<Record<string, Reference>> = {
  cpa_source_id: 'source',
  master_offer_id: 'offer',
  user_id: 'buyer',
  owner_id: 'buyer',
  assignee_id: 'buyer',
  role_id: 'role',
  type_id: 'statusType',
  template_id: 'template',
  courier_account_id: 'courierAccount',
}

async function describeFilter(
  name: string,
  { value, call }: { value: string; call: Call },
  options: FilterTextOptions,
): Promise<string> {
  const { language, timeZone, readNames } = options
  const text = filterTexts[name]
  const label = text === undefined ? name : fillText(text, language)
  const write = (...values: string[]) => writeFilter(label, values, 0)
  if (name.endsWith('_id') && value === '0') return write(fillText(messageTexts.none, language))
  const reference = references[name]
  if (reference !== undefined) return write((await readNames(reference, [value])).get(value) ?? `#${value}`)
  const valueText = filterValueTexts[name]?.[value]
  if (valueText !== undefined) return write(fillText(valueText, language))
  const { type, format } = findSchema(call, name)
  if (type === 'boolean') return write(fillText(messageTexts[value === 'true' ? 'yes' : 'no'], language))
  if (format === 'date') return write(formatLocalDay(value, language))
  if (format === 'date-time') return write(formatLocalDateTime(value, language, timeZone))
  return write(name.endsWith('_id') ? `#${value}` : value)
}

function findSchema({ query }: Call, name: string): { type?: string; format?: string } {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, object> }
  return properties[name] ?? {}
}

/** "Source: Alpha, Beta +3". */
function writeFilter(name: string, values: readonly string[], otherCount: number): string {
  const texts = values.map((value) => cutText(toLine(value), maxValue))
  return `${name}: ${texts.join(', ')}${otherCount > 0 ? ` +${otherCount}` : ''}`
}
