import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { TextDimension } from '@karvon/contract/lib/lead-texts.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { SegmentColumn } from '../segments/segments.columns.ts'
import { isTime } from './explore.keys.ts'
import { isTextDimension } from '../rollups/rollups.text-columns.queries.ts'
import { readLastId } from './explore.queries.ts'
import type { TextCodes } from './explore.changed.ts'
import { findFirstTexts, readOwners, type PlannedDay } from './explore.segments.queries.ts'

/** Slots of one dimension. More would take too much memory; then the leads are read. */
export const maxSlots = 262_144

/** The column of segments that has the codes of a dimension; null for a time. */
export function columnOf(name: DimensionName): SegmentColumn | null {
  if (isTime(name)) return null
  return name === 'buyer' ? 'stream' : name
}

/** Owners by stream; 0: none. */
export async function readOwnerTable(trx: Db): Promise<Int32Array> {
  const owners = await readOwners(trx)
  const table = new Int32Array((await readLastId(trx, 'stream')) + 1)
  for (const { id, user_id: user } of owners) table[id] = user
  return table
}

/** All keys of a dimension of a question. A slot is a code, or the position of a time among the keys. */
export class KeyAxis {
  readonly name: DimensionName
  readonly size: number
  /** The slot of each code of the column; null for a time. */
  readonly slots: Int32Array | null
  readonly #times: readonly string[]
  readonly #slotByTime: ReadonlyMap<string, number>
  readonly #newTexts: ReadonlyMap<string, number>

  private constructor(
    name: DimensionName,
    {
      slots,
      times,
      newTexts,
      size,
    }: {
      slots: Int32Array | null
      times: readonly string[]
      newTexts: ReadonlyMap<string, number>
      size: number
    },
  ) {
    this.name = name
    this.slots = slots
    this.size = size
    this.#times = times
    this.#slotByTime = new Map(times.map((time, slot) => [time, slot]))
    this.#newTexts = newTexts
  }

  static async open(
    trx: Db,
    name: DimensionName,
    { at, days, texts }: { at: 0 | 1; days: readonly PlannedDay[]; texts: TextCodes },
  ): Promise<KeyAxis> {
    const noKeys = new Map<string, number>()
    if (isTime(name)) {
      const times = [
        ...new Set(days.map((day) => (at === 0 ? day.row_key : day.column_key) ?? '')),
      ].toSorted()
      return new KeyAxis(name, { slots: null, times, newTexts: noKeys, size: times.length })
    }
    const size = isTextDimension(name)
      ? texts.count(name)
      : name === 'hour'
        ? 24
        : (await readLastId(trx, name)) + 1
    const slots =
      name === 'buyer'
        ? await readOwnerTable(trx)
        : Int32Array.from({ length: Math.min(size, maxSlots) }, (_, code) => code)
    return new KeyAxis(name, {
      slots,
      times: [],
      newTexts: isTextDimension(name) ? texts.listAdded(name) : noKeys,
      size,
    })
  }

  slotOfDay(key: string | null): number {
    return this.#slotByTime.get(key ?? '') ?? -1
  }

  /** The slot of a key of a time or an id. */
  findSlot(key: string): number {
    return this.slots === null ? this.slotOfDay(key) : Number(key)
  }

  /** The keys of slots. */
  async readKeys(trx: Db, slots: readonly number[]): Promise<Map<number, string>> {
    const { name } = this
    if (this.slots === null) return new Map(slots.map((slot) => [slot, this.#times[slot] ?? '']))
    if (!isTextDimension(name)) return new Map(slots.map((slot) => [slot, String(slot)]))
    return new Map(
      (await this.#findFirst(trx, name, { slots, limit: slots.length })).map(({ code, text }) => [
        code,
        text,
      ]),
    )
  }

  /** The first slots in the order of their keys. */
  async findFirst(trx: Db, slots: readonly number[], limit: number): Promise<number[]> {
    if (isTextDimension(this.name))
      return (await this.#findFirst(trx, this.name, { slots, limit })).map(({ code }) => code)
    return slots.toSorted((a, b) => a - b).slice(0, limit)
  }

  #findFirst(trx: Db, name: TextDimension, { slots, limit }: { slots: readonly number[]; limit: number }) {
    const neededSlots = new Set(slots)
    const newTexts = [...this.#newTexts].flatMap(([text, slot]) =>
      neededSlots.has(slot) ? [[slot, text] as const] : [],
    )
    return findFirstTexts(trx, name, { codes: slots, newTexts, limit })
  }
}
