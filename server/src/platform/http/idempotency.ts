import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, createHmac } from 'node:crypto'
import type { Db } from '../database/pool.ts'
import { AppError } from './errors.ts'
import {
  claimKeyRow,
  findKeyRow,
  updateAnswer,
  releaseKey,
  insertRowOnce,
  renewKeyLease,
  createAnswerCipher,
  updateMissingAnswer,
  acquireExpiredLease,
  type KeyLease,
  type KeyRow,
} from './idempotency.queries.ts'
import { isDatabaseUnavailable } from '../database/pg-errors.ts'
import { retryWhileUnavailable } from '../database/retry-while-unavailable.ts'
import { runWithTransactionHooks } from '../database/transaction.ts'
import type { Encryption } from '../security/encryption.ts'

// Idempotency: a request with an Idempotency-Key runs once, and its repeats get the stored answer (encrypted, for one
// day). idempotency.serve.ts wraps the handlers of calls. The first transaction of a handler claims the key, and
// idempotency.answers.ts stores the answer in the transaction of the change.

/** Thrown to answer a repeat with the stored answer. */
export class ReplayedAnswer extends Error {
  readonly status: number
  readonly text: string

  constructor(status: number, text: string) {
    super('The request was answered before')
    this.status = status
    this.text = text
  }
}

/** Another request claimed the same key at the same time. */
class KeyConflictError extends Error {}

export interface IdempotencyStore {
  db: Db
  encryption: Encryption
}

interface KeyedRequest {
  key: string
  /** The person, the method, the path and the parameters. */
  scope: readonly unknown[]
  /** HTTP status of an answer that is stored in the transaction of the change. */
  status: number
  /** Interrupted work runs again. The key is claimed before the work starts. */
  isRepeatable: boolean
}

/**
 * One request with an Idempotency-Key. The first statement of the handler's first transaction inserts the row of the
 * key. So the key is committed together with the change, and a parallel repeat waits until the transaction ends.
 */
export class IdempotentRequest {
  readonly #store: IdempotencyStore
  readonly #request: KeyedRequest
  readonly #hash: Buffer
  #fingerprint: Buffer | null = null
  #lease: KeyLease | null = null
  #rowId: number | null = null
  /** The lease of a transaction that is not committed yet. */
  #claimedLease: KeyLease | null = null
  #isAnswerStored = false
  #isClosed = false

  constructor(store: IdempotencyStore, request: KeyedRequest) {
    this.#store = store
    this.#request = request
    const scope = JSON.stringify([...request.scope, request.key])
    this.#hash = createHash('sha256').update(scope).digest()
  }

  /**
   * Looks for an earlier request with this key. Throws {@link ReplayedAnswer} when that request has an answer. Errors:
   * 422 `key_reused` when its content differs; 409 `in_progress` while it runs; 409 `already_done` when it is done and
   * its answer is lost.
   */
  async checkRepeat(content: string): Promise<void> {
    const { db } = this.#store
    this.#fingerprint = createHmac('sha256', this.#request.key).update(content).digest()
    const keyRow = await findKeyRow(db, this.#hash)
    if (keyRow !== undefined) return this.#handleExistingKey(keyRow)
    if (!this.#request.isRepeatable) return
    this.#lease = await claimKeyRow(db, this.#hash, this.#fingerprint)
    if (this.#lease === null) throw createInProgressError()
  }

  async #handleExistingKey(keyRow: KeyRow): Promise<void> {
    const { db, encryption } = this.#store
    if (this.#fingerprint === null || !keyRow.fingerprint.equals(this.#fingerprint)) {
      throw new AppError('key_reused')
    }
    if (keyRow.answer !== null && keyRow.status !== null) {
      const text = createAnswerCipher(encryption, keyRow.id).decrypt(keyRow.answer)
      if (text === null) throw createAlreadyDoneError()
      throw new ReplayedAnswer(keyRow.status, text)
    }
    if (keyRow.is_leased) throw createInProgressError()
    if (!this.#request.isRepeatable) throw createAlreadyDoneError()
    this.#lease = await acquireExpiredLease(db, keyRow.id)
    if (this.#lease === null) throw createInProgressError()
    this.#rowId = keyRow.row_id
  }

  /** Inserts the row of the key in a transaction, unless this request has inserted it. Must be the first statement. */
  async claimKey(trx: Db): Promise<void> {
    if (this.#isClosed || this.#lease !== null) return
    if (this.#fingerprint === null) throw new Error('A change began before the request was read')
    this.#claimedLease = await claimKeyRow(trx, this.#hash, this.#fingerprint)
    if (this.#claimedLease === null) throw new KeyConflictError()
  }

  markCommitted(): void {
    this.#lease ??= this.#claimedLease
  }

  /** Stores the answer in the transaction of the change, so that a kill loses both or neither. */
  async storeAnswerInTransaction(trx: Db, text: string): Promise<void> {
    const { id } = this.#lease ?? this.#claimedLease ?? {}
    if (this.#isClosed || id === undefined) return
    await updateAnswer(trx, {
      id,
      status: this.#request.status,
      answer: createAnswerCipher(this.#store.encryption, id).encrypt(text),
    })
    this.#isAnswerStored = true
  }

  /** Returns the row that an interrupted attempt created, or creates it with `insert`. Needs a transaction. */
  async insertOnce(trx: Db, insert: () => Promise<number>): Promise<number> {
    if (this.#lease === null) return insert()
    this.#rowId = await insertRowOnce(trx, this.#lease.id, insert)
    return this.#rowId
  }

  /** Stores an answer that was not known in the transaction of the change. */
  async storeAnswer(status: number, text: string): Promise<void> {
    this.#isClosed = true
    const { db, encryption } = this.#store
    if (this.#isAnswerStored || this.#fingerprint === null) return
    // Without a lease the handler ran no transaction, and the key has no row. A faster repeat has the same answer.
    this.#lease ??= await claimKeyRow(db, this.#hash, this.#fingerprint)
    if (this.#lease === null) return
    const { id } = this.#lease
    await updateMissingAnswer(db, { id, status, answer: createAnswerCipher(encryption, id).encrypt(text) })
  }

  /**
   * Releases the key after a failure; the row of a committed change stays. If a parallel request claimed the key first,
   * throws its answer or error, which the client gets instead of `error`.
   */
  async handleFailure(error: unknown): Promise<void> {
    this.#isClosed = true
    const { db } = this.#store
    if (this.#lease !== null) return this.#release(this.#lease)
    if (!(error instanceof KeyConflictError)) return
    const keyRow = await findKeyRow(db, this.#hash)
    if (keyRow === undefined) throw createInProgressError()
    await this.#handleExistingKey(keyRow)
  }

  async renewLease(): Promise<void> {
    if (this.#lease === null || this.#isClosed) return
    this.#lease = (await renewKeyLease(this.#store.db, this.#lease.id)) ?? this.#lease
  }

  /**
   * Retries in the background while the database is unavailable. Otherwise a repeat would wait for the end of the
   * lease.
   */
  async #release(lease: KeyLease): Promise<void> {
    const mayRepeat = this.#request.isRepeatable && this.#rowId === null
    const release = () => releaseKey(this.#store.db, lease, mayRepeat)
    try {
      await release()
    } catch (error) {
      if (isDatabaseUnavailable(error)) retryWhileUnavailable(release).catch(() => {})
      throw error
    }
  }
}

const requestStorage = new AsyncLocalStorage<IdempotentRequest>()

/** Runs a handler so that its transactions claim the key of the request. */
export const runWithIdempotentRequest = <T>(request: IdempotentRequest, work: () => Promise<T>): Promise<T> =>
  requestStorage.run(request, () =>
    runWithTransactionHooks(
      { onBegin: (trx) => request.claimKey(trx), onCommit: () => request.markCommitted() },
      work,
    ),
  )

/** The current request, if it has an Idempotency-Key. */
export const getIdempotentRequest = (): IdempotentRequest | undefined => requestStorage.getStore()

/**
 * Inserts a row once for all requests with the same key, and returns its id. Only for calls that declare
 * `repeat: 'again'`, in a transaction of `inTransaction`.
 */
export function insertOnce(trx: Db, insert: () => Promise<number>): Promise<number> {
  return requestStorage.getStore()?.insertOnce(trx, insert) ?? insert()
}

const createInProgressError = () => new AppError('in_progress', {}, { retryAfter: 2 })

const createAlreadyDoneError = () => new AppError('already_done')
