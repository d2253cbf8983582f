import { idColumns, type IdColumn } from './segments.columns.ts'

/** Columns of leads, or of groups of leads, of the same length. */
export interface Entries {
  readonly size: number
  readonly ids: Readonly<Record<IdColumn, Int32Array>>
  readonly leads: Int32Array
  readonly payout: Int32Array | Float64Array
}

export interface Groups extends Entries {
  readonly payout: Float64Array
}

/** Groups of leads by source, offer, stream and status: a hash table in typed arrays. */
export class LeadGroups {
  readonly #ids: Readonly<Record<IdColumn, Int32Array>>
  readonly #leads: Int32Array
  readonly #payout: Float64Array
  /** The number of a group, plus one, by a hash of its ids; 0: free. */
  readonly #places: Int32Array
  #size = 0

  /** `capacity`: the number of entries that will be added. */
  constructor(capacity: number) {
    const column = () => new Int32Array(capacity)
    this.#ids = { source: column(), offer: column(), stream: column(), status: column() }
    this.#leads = column()
    this.#payout = new Float64Array(capacity)
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(2 * capacity + 1)))
  }

  add({ size, ids, leads, payout }: Entries): void {
    for (let i = 0; i < size; i += 1) {
      const group = this.#findGroup(ids, i)
      ;(this.#leads[group] as number) += leads[i] as number
      ;(this.#payout[group] as number) += payout[i] as number
    }
  }

  /** The number of the group of an entry. A new one is added. */
  #findGroup(entries: Entries['ids'], i: number): number {
    const source = entries.source[i] as number
    const offer = entries.offer[i] as number
    const stream = entries.stream[i] as number
    const status = entries.status[i] as number
    const places = this.#places
    const mask = places.length - 1
    const ids = this.#ids
    let hash =
      Math.imul(stream, 0x9e3779b1) ^ Math.imul(status, 0x85ebca6b) ^ Math.imul(offer, 0xc2b2ae35) ^ source
    hash ^= hash >>> 15
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const group = (places[at] as number) - 1
      if (group < 0) {
        const groupIndex = this.#size
        this.#size += 1
        places[at] = groupIndex + 1
        ids.source[groupIndex] = source
        ids.offer[groupIndex] = offer
        ids.stream[groupIndex] = stream
        ids.status[groupIndex] = status
        return groupIndex
      }
      if (
        ids.stream[group] === stream &&
        ids.status[group] === status &&
        ids.offer[group] === offer &&
        ids.source[group] === source
      )
        return group
    }
  }

  /** The groups in lists of at most `size`. */
  *split(size: number): Generator<Groups> {
    for (let from = 0; from < this.#size; from += size) {
      const until = Math.min(from + size, this.#size)
      const ids = Object.fromEntries(
        idColumns.map((name) => [name, this.#ids[name].subarray(from, until)]),
      ) as Record<IdColumn, Int32Array>
      const [leads, payout] = [this.#leads.subarray(from, until), this.#payout.subarray(from, until)]
      yield { size: until - from, ids, leads, payout }
    }
  }
}
