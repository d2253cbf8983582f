import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'

/** After so many failures in a row an account rests. */
export const patience = 5

/** Which of the two columns of sync_states and sync_runs names the account. */
export type AccountColumn = 'source_credential_id' | 'courier_account_id'

/** What can be fetched: accounts of one kind, and how one of them is. */
export interface SyncKind {
  readonly column: AccountColumn
  /** Milliseconds from the end of a run to the next. */
  readonly every: number
  /** Outgoing requests a day and account, counted in the installation's days. */
  readonly dailyRequests: number
  /** Whether one account is fetched at a time, because the other side counts the requests of all of them together. */
  readonly single: boolean
  /** Ids of the accounts that are to be fetched; others keep what they have, and rest. */
  active(db: Db): Promise<number[]>
  /** Fetches one account. Harmless to repeat and to cut off anywhere. Throws {@link SyncError}. */
  run(account: number, run: SyncRun): Promise<void>
}

/** What a run is given. Everything but `signal` and `log` goes to the database, and survives a kill. */
export interface SyncRun {
  /** Aborted when the process stops, or the lease is lost to another one. */
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
  /** What the run before this one left, when it did not come to its end. */
  readonly progress: Readonly<Record<string, unknown>> | null
  /** What an earlier run told to {@link remember}. */
  readonly memory: Readonly<Record<string, unknown>>
  remember(memory: Record<string, unknown>): Promise<void>
  saveProgress(progress: Record<string, unknown>): Promise<void>
  /** Says what the run is at, for whoever watches. */
  phase(name: string): Promise<void>
  /** Adds to the run's counts. */
  count(more: Readonly<Record<string, number>>): Promise<void>
  /**
   * Before each outgoing request; answers the present moment by the database's clock. Throws when the day's requests
   * are used up or the lease is lost.
   */
  request(): Promise<Date>
  /** Requests of this run so far. */
  readonly requests: number
  /** Requests that are left of the day, and runs of this account that are still to come in it, this one included. */
  budget(): Promise<{ left: number; runs: number }>
  /** Whether another account of the kind is due and nobody fetches it yet. */
  isAnotherDue(): Promise<boolean>
  /** When a person last asked for a full reading; an ISO text. */
  readonly fullAskedAt: string | null
  /** The run ends well, and the next one goes on from its progress all the same. */
  keepProgress(): void
  /** Orders between two moments (ISO texts) may be missing for good: a person has to look. */
  markGap(from: string, to: string): Promise<void>
  /** A part whose failure leaves the others: the run then ends `partial`. Only what ends a whole run is thrown on. */
  part(name: string, work: () => Promise<void>): Promise<void>
  /** What the other side says it owes; amounts in its currency as decimal texts, null where it does not say. */
  money(balance: string | null, hold: string | null): Promise<void>
}

/**
 * Why a run, or a part of it, failed; `message` is for an admin and holds no secret.
 *
 * - `wait`: asked to wait so many `seconds`; no failure of anybody's.
 * - `sign_in`: the account's own login is refused, so no part of the run can go on.
 * - `budget`: the day's requests are used up; goes on tomorrow.
 * - `lost`: another process has the account now, or this one stops.
 * - `trouble`: anything else that was not there or not understood.
 */
export class SyncError extends Error {
  readonly kind: 'wait' | 'sign_in' | 'budget' | 'lost' | 'trouble'
  readonly seconds: number

  constructor(kind: SyncError['kind'], message: string, seconds = 0) {
    super(message)
    this.name = 'SyncError'
    this.kind = kind
    this.seconds = seconds
  }
}
