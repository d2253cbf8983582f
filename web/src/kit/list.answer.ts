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

/**
 * Reads `{items, meta}`, `{items, total_items}` or a bare array.
 * Throws when it is none of them: a page that pretends to be empty would hide a wrong address.
 */
export function readList<Row>(answer: unknown): ListAnswer<Row> {
  if (Array.isArray(answer)) return listOf(answer as Row[], {})
  if (!isRecord(answer) || !Array.isArray(answer.items)) throw new Error(httpTexts.unexpected)
  return listOf(answer.items as Row[], isRecord(answer.meta) ? answer.meta : answer)
}

const count = (value: unknown) => (typeof value === 'number' ? value : undefined)

function listOf<Row>(items: readonly Row[], meta: Readonly<Record<string, unknown>>): ListAnswer<Row> {
  const total = count(meta.total) ?? count(meta.total_items) ?? items.length
  return { items, total, filtered: count(meta.filtered_total) ?? total, meta }
}

/** The one row of a single get, which some answer as a list of one. Undefined when there is none. */
export function firstOf(answer: unknown): unknown {
  if (isRecord(answer) && Array.isArray(answer.items)) return answer.items[0]
  if (Array.isArray(answer)) return answer[0]
  return isRecord(answer) ? answer : undefined
}
