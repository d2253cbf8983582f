import { textDimensions, type TextDimension } from '@karvon/contract/lib/lead-texts.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { SegmentColumn } from '../segments/segments.columns.ts'
import type { StreamScope } from '../segments/segments.slices.queries.ts'
import { firstLead, type LastLead } from '../segments/segments.leads.queries.ts'
import { isTextDimension } from '../rollups/rollups.text-columns.queries.ts'
import {
  allowIndexOnlyScans,
  readChangedLeads,
  readCodes,
  readLastCodes,
  type NumberColumn,
} from './explore.changed.queries.ts'

/** Changed days of one question, and their leads, that are read beside segments. With more, the question reads all its leads. */
const maxChangedDays = 64
const maxChangedLeads = 500_000

/** Leads of one day as codes. */
export interface ChangedLeads {
  readonly day: string
  readonly leads: number
  readonly columns: ReadonlyMap<SegmentColumn, Int32Array | Float64Array>
  readonly largestPayout: number
}

/** The codes of texts of changed days. Texts that no segment has get codes after the stored ones, for one question. */
export class TextCodes {
  readonly #trx: Db
  readonly #last: Readonly<Record<TextDimension, number>>
  readonly #known = new Map<TextDimension, Map<string, number>>()
  readonly #added = new Map<TextDimension, Map<string, number>>()

  private constructor(trx: Db, last: Readonly<Record<TextDimension, number>>) {
    this.#trx = trx
    this.#last = last
    for (const dimension of textDimensions) {
      this.#known.set(dimension, new Map([['', 0]]))
      this.#added.set(dimension, new Map())
    }
  }

  static async open(trx: Db): Promise<TextCodes> {
    return new TextCodes(trx, await readLastCodes(trx))
  }

  /** One more than the largest code. */
  count(dimension: TextDimension): number {
    return this.#last[dimension] + 1 + this.listAdded(dimension).size
  }

  /** The texts that no segment has. */
  listAdded(dimension: TextDimension): ReadonlyMap<string, number> {
    return this.#added.get(dimension) ?? new Map<string, number>()
  }

  /** The code of each text. */
  async encode(dimension: TextDimension, texts: readonly string[]): Promise<Int32Array> {
    const knownCodes = this.#known.get(dimension) ?? new Map<string, number>()
    const codes = new Int32Array(texts.length)
    const unknownIndexes: number[] = []
    for (let index = 0; index < texts.length; index += 1) {
      const code = knownCodes.get(texts[index] as string)
      if (code === undefined) unknownIndexes.push(index)
      else codes[index] = code
    }
    if (unknownIndexes.length === 0) return codes
    const unknownTexts = new Set(unknownIndexes.map((index) => texts[index] ?? ''))
    for (const { text, code } of await readCodes(this.#trx, dimension, {
      texts: [...unknownTexts],
      lastCode: this.#last[dimension],
    }))
      knownCodes.set(text, code)
    for (const text of unknownTexts)
      if (!knownCodes.has(text)) {
        const code = this.count(dimension)
        knownCodes.set(text, code)
        this.#added.get(dimension)?.set(text, code)
      }
    for (const index of unknownIndexes) codes[index] = knownCodes.get(texts[index] ?? '') ?? 0
    return codes
  }
}

interface ChangedDaysQuery {
  readonly columns: readonly SegmentColumn[]
  readonly texts: TextCodes
  readonly scope: StreamScope | null
}

/** Reads the leads of changed days, or those of some streams. Null if they are too many. */
export async function readChangedDays(
  trx: Db,
  days: readonly string[],
  query: ChangedDaysQuery,
): Promise<ChangedLeads[] | null> {
  if (days.length > maxChangedDays) return null
  if (days.length === 0 || query.scope !== null) return readDays(trx, days, query)
  await allowIndexOnlyScans(trx, false)
  const changedLeads = await readDays(trx, days, query)
  await allowIndexOnlyScans(trx, true)
  return changedLeads
}

async function readDays(
  trx: Db,
  days: readonly string[],
  { columns, texts, scope }: ChangedDaysQuery,
): Promise<ChangedLeads[] | null> {
  const changedLeads: ChangedLeads[] = []
  let count = 0
  const read = (day: string, after: LastLead) => readChangedLeads(trx, { day, columns, after, scope })
  let nextBatch = days[0] === undefined ? undefined : read(days[0], firstLead)
  for (const [at, day] of days.entries()) {
    let batch = await nextBatch
    // PostgreSQL reads the next day while the process encodes this one.
    const nextDay = days[at + 1]
    nextBatch = nextDay === undefined ? undefined : read(nextDay, firstLead)
    nextBatch?.catch(() => {})
    while (batch !== undefined) {
      if (batch === null) return null
      count += batch.leads
      if (count > maxChangedLeads) return null
      const codes = new Map<SegmentColumn, Int32Array | Float64Array>()
      for (const name of columns)
        codes.set(
          name,
          isTextDimension(name)
            ? await texts.encode(name, batch.texts[name] ?? [])
            : toArray(name, batch.numbers[name] ?? []),
        )
      changedLeads.push({ day, leads: batch.leads, columns: codes, largestPayout: batch.largestPayout })
      batch = batch.last === undefined ? undefined : await read(day, batch.last)
    }
  }
  return changedLeads
}

/** A payout of a changed day may be larger than those in segments. */
const toArray = (name: NumberColumn, values: readonly number[]): Int32Array | Float64Array =>
  name === 'payout' ? new Float64Array(values) : new Int32Array(values)
