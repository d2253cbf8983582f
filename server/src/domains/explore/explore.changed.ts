import { textDimensions, type TextDimension } from '@karvon/contract/lib/lead-texts.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { SegmentColumn } from '../segments/segments.columns.ts'
import { isText, readChangedLeads, readLastCode } from './explore.changed.queries.ts'

/** Days whose leads are read beside the segments of others, and their leads. With more, the question reads all its leads. */
const maxChangedDays = 64
const maxChangedLeads = 500_000

/** Leads of one day as codes. */
export interface ChangedLeads {
  readonly day: string
  readonly leads: number
  readonly columns: ReadonlyMap<SegmentColumn, Int32Array | Float64Array>
  readonly largestPayout: number
}

/** Codes for the texts that no segment has, after the stored ones. They are valid in one question. */
export class NewTexts {
  readonly #first: Readonly<Record<TextDimension, number>>
  readonly #codes = new Map<TextDimension, Map<string, number>>()

  private constructor(first: Readonly<Record<TextDimension, number>>) {
    this.#first = first
  }

  static async open(trx: Db): Promise<NewTexts> {
    const first: Partial<Record<TextDimension, number>> = {}
    for (const each of textDimensions) first[each] = (await readLastCode(trx, each)) + 1
    return new NewTexts(first as Record<TextDimension, number>)
  }

  /** One more than the largest code. */
  count(dimension: TextDimension): number {
    return this.#first[dimension] + this.codesOf(dimension).size
  }

  codesOf(dimension: TextDimension): Map<string, number> {
    const found = this.#codes.get(dimension) ?? new Map<string, number>()
    this.#codes.set(dimension, found)
    return found
  }

  add(dimension: TextDimension, text: string): number {
    const codes = this.codesOf(dimension)
    const code = codes.get(text) ?? this.count(dimension)
    codes.set(text, code)
    return code
  }
}

/** Reads the leads of changed days. Null if they are too many. */
export async function readChangedDays(
  trx: Db,
  days: readonly string[],
  { columns, newTexts }: { columns: readonly SegmentColumn[]; newTexts: NewTexts },
): Promise<ChangedLeads[] | null> {
  if (days.length > maxChangedDays) return null
  const found: ChangedLeads[] = []
  let count = 0
  for (const day of days) {
    let after = { created_at: '-infinity', id: 0 }
    for (;;) {
      const batch = await readChangedLeads(trx, { day, columns, after })
      if (batch === null) return null
      if (batch.leads === 0) break
      count += batch.leads
      if (count > maxChangedLeads) return null
      const entries = columns.map(
        (name) => [name, toCodes(name, batch.columns[name] ?? [], newTexts)] as const,
      )
      found.push({ day, leads: batch.leads, columns: new Map(entries), largestPayout: batch.largestPayout })
      after = batch.last
    }
  }
  return found
}

function toCodes(
  name: SegmentColumn,
  values: readonly (number | string)[],
  newTexts: NewTexts,
): Int32Array | Float64Array {
  // A payout of a changed day may be larger than those in segments.
  if (name === 'payout') return Float64Array.from(values, Number)
  return Int32Array.from(values, (value) => {
    if (typeof value === 'number') return value
    return isText(name) ? newTexts.add(name, value) : Number(value)
  })
}
