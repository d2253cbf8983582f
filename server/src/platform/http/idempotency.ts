import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, createHmac } from 'node:crypto'
import type { Db } from '../database/pool.ts'
import { AppError } from './errors.ts'
import {
  claimRow,
  findRow,
  keepText,
  leave,
  noteRow,
  renewLease,
  sealOf,
  storeText,
  takeOver,
  type KeyRow,
} from './idempotency.store.ts'
import type { Seal } from '../security/seal.ts'

/** What a request did that came with the same key before. */
export class Replay extends Error {
  readonly status: number
  readonly text: string

  constructor(status: number, text: string) {
    super('The request was answered before')
    this.status = status
    this.text = text
  }
}

/** Another request with this key was quicker by a moment. */
class Overtaken extends Error {}

export interface KeyStore {
  db: Db
  seal: Seal
}

interface Asked {
  key: string
  /** Who asks for what: the person, the method and the address. */
  scope: readonly unknown[]
  /** With which an answer is kept that is written in the change's own transaction. */
  status: number
  /** The work may be done twice: it is claimed before it starts, and one that was cut off is done again. */
  again: boolean
}

/**
 * One request that came with an Idempotency-Key. Its row is inserted by the first transaction that the handler
 * runs, before all else in it: so the key stands if and only if the change does, and a repeat at the same moment
 * waits there until the first has ended.
 */
export class Keyed {
  readonly #store: KeyStore
  readonly #asked: Asked
  readonly #hash: Buffer
  #fingerprint: Buffer | null = null
  #id: number | null = null
  #row: number | null = null
  #claiming: number | null = null
  #kept = false
  #closed = false

  constructor(store: KeyStore, asked: Asked) {
    this.#store = store
    this.#asked = asked
    const scope = JSON.stringify([...asked.scope, asked.key])
    this.#hash = createHash('sha256').update(scope).digest()
  }

  /**
   * Compares what the request says with what came under its key before. Throws {@link Replay} where that was
   * answered. Errors: 422 `key_reused`; 409 `in_progress` while it is under way, `already_done` where it was done and
   * its answer lost.
   */
  async meet(content: string): Promise<void> {
    const { db } = this.#store
    this.#fingerprint = createHmac('sha256', this.#asked.key).update(content).digest()
    const found = await findRow(db, this.#hash)
    if (found !== undefined) return this.#judge(found)
    if (!this.#asked.again) return
    this.#id = await claimRow(db, this.#hash, this.#fingerprint)
    if (this.#id === null) throw inProgress()
  }

  async #judge(found: KeyRow): Promise<void> {
    const { db, seal } = this.#store
    if (this.#fingerprint === null || !found.fingerprint.equals(this.#fingerprint)) {
      throw new AppError(
        'key_reused',
        'This Idempotency-Key came with another request before. Take a new one.',
      )
    }
    if (found.answer !== null && found.status !== null) {
      const text = sealOf(seal, found.id).open(found.answer)
      if (text === null) throw alreadyDone()
      throw new Replay(found.status, text)
    }
    if (found.leased) throw inProgress()
    if (!this.#asked.again) throw alreadyDone()
    if (!(await takeOver(db, found.id))) throw inProgress()
    this.#id = found.id
    this.#row = found.row_id
  }

  /** First in a transaction: inserts the key's row, unless that was done. */
  async claim(trx: Db): Promise<void> {
    if (this.#closed || this.#id !== null) return
    if (this.#fingerprint === null) throw new Error('A change began before the request was read')
    this.#claiming = await claimRow(trx, this.#hash, this.#fingerprint)
    if (this.#claiming === null) throw new Overtaken()
  }

  committed(): void {
    this.#id ??= this.#claiming
  }

  /** Writes the answer in the transaction of the change, so that no end of the process can part the two. */
  async keep(trx: Db, text: string): Promise<void> {
    const id = this.#id ?? this.#claiming
    if (this.#closed || id === null) return
    await keepText(trx, id, this.#asked.status, sealOf(this.#store.seal, id).seal(text))
    this.#kept = true
  }

  /** What an earlier attempt made before it was cut off; `insert` makes it otherwise. Within a transaction. */
  async once(trx: Db, insert: () => Promise<number>): Promise<number> {
    const id = this.#id
    if (id === null) return insert()
    this.#row = await noteRow(trx, id, insert)
    return this.#row
  }

  /** Keeps an answer that could not be known within the change's transaction. */
  async finish(status: number, text: string): Promise<void> {
    this.#closed = true
    const { db, seal } = this.#store
    if (this.#kept || this.#fingerprint === null) return
    // Nothing was changed in a transaction, so there is no row yet; one who was quicker has the same answer.
    this.#id ??= await claimRow(db, this.#hash, this.#fingerprint)
    if (this.#id !== null) await storeText(db, this.#id, status, sealOf(seal, this.#id).seal(text))
  }

  /** A failure is not remembered; what it has changed is. Throws what the caller is told instead, if anything. */
  async fail(error: unknown): Promise<void> {
    this.#closed = true
    const { db } = this.#store
    if (this.#id !== null) return leave(db, this.#id, this.#asked.again && this.#row === null)
    if (!(error instanceof Overtaken)) return
    const found = await findRow(db, this.#hash)
    if (found === undefined) throw inProgress()
    await this.#judge(found)
  }

  /** A sign of life, from time to time. */
  async renew(): Promise<void> {
    if (this.#id !== null && !this.#closed) await renewLease(this.#store.db, this.#id)
  }
}

const current = new AsyncLocalStorage<Keyed>()

/** Runs a handler so that its transactions know of its key. */
export const withKey = <T>(keyed: Keyed, work: () => Promise<T>): Promise<T> => current.run(keyed, work)

/** The key of the request that is being served, if it came with one. */
export const currentKey = (): Keyed | undefined => current.getStore()

/**
 * Inserts a row once, however often its request comes with the same key, and answers its id. Only in calls that
 * declare `repeat: 'again'`; the transaction must be one of `inTransaction`.
 */
export function insertOnce(trx: Db, insert: () => Promise<number>): Promise<number> {
  return current.getStore()?.once(trx, insert) ?? insert()
}

const inProgress = () =>
  new AppError('in_progress', 'The first request with this Idempotency-Key is still under way.', {
    retryAfter: 2,
  })

const alreadyDone = () =>
  new AppError(
    'already_done',
    'This was done already, and its answer was lost on the way. It is not done again.',
  )
