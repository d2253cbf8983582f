import { httpTexts } from './http.texts.ts'

/** A page of rows as the screens use it, whatever way the host spells it. */
export interface ListAnswer<Row> {
  readonly items: readonly Row[]
  /** All rows, whatever the filters. */
  readonly total: number
  /** Rows that match the filters. */
  readonly filtered: number
  /** The answer's meta as it came, for what a single list adds to it. */
  readonly meta: Readonly<Record<string, unknown>>
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Which page was asked for, from 1, and of how many rows. */
export interface PageOf {
  readonly page: number
  readonly size: number
}

/**
 * Reads `{items, meta}`, `{items, total_items}` or a bare array. A host that answers all rows at once, whatever page is
 * asked for, is paged here by `at`.
 * Throws when it is none of them: a page that pretends to be empty would hide a wrong address.
 */
export function readList<Row>(answer: unknown, at?: PageOf): ListAnswer<Row> {
  if (Array.isArray(answer)) return listOf(answer, {}, at)
  if (!isRecord(answer) || !Array.isArray(answer.items)) throw new Error(httpTexts.unexpected)
  const beyond = at && answer.items.length > at.size ? at : undefined
  return listOf(answer.items, isRecord(answer.meta) ? answer.meta : answer, beyond)
}

const count = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** `at` is what to cut out of `all`; without it they are the page. What is no row at all is left out. */
function listOf<Row>(
  all: readonly unknown[],
  meta: Readonly<Record<string, unknown>>,
  at: PageOf | undefined,
): ListAnswer<Row> {
  const rows = all.filter(isRecord) as Row[]
  const total = count(meta.total) ?? count(meta.total_items) ?? rows.length
  const items = at ? rows.slice((at.page - 1) * at.size, at.page * at.size) : rows
  return { items, total, filtered: count(meta.filtered_total) ?? total, meta }
}

/** The one row of a single get, which some answer as a list of one. Undefined when there is none. */
export function firstOf(answer: unknown): unknown {
  if (isRecord(answer) && Array.isArray(answer.items)) return answer.items[0]
  if (Array.isArray(answer)) return answer[0]
  return isRecord(answer) ? answer : undefined
}
