import type { Reason } from '@karvon/contract/lib/problem.ts'
import type { SyncPart } from '@karvon/contract/lib/sync-health.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** Failures in a row after which an account is paused. */
export const failuresBeforePause = 5

/** The columns of sync_states and sync_runs that refer to an account. Each row has exactly one of them. */
export type AccountColumn = 'source_credential_id' | 'courier_account_id'

/** The tables to which these columns refer. */
export const accountTables = {
  source_credential_id: 'source_credentials',
  courier_account_id: 'courier_accounts',
} as const satisfies Record<AccountColumn, string>

/** A kind of accounts, and the function that syncs one account. */
export interface SyncKind {
  readonly column: AccountColumn
  /** Milliseconds from the end of a run to the next. */
  readonly interval: number
  /** Maximum number of outgoing requests per day and account, in days of the installation's time zone. */
  readonly dailyRequests: number
  /** True if only one account is synced at a time, because the other side counts the requests of all accounts together. */
  readonly isExclusive: boolean
  /** The ids of the accounts to sync. Other accounts keep their state. */
  findActiveAccounts(db: Db): Promise<number[]>
  /** SQL of the ids that `findActiveAccounts` finds. */
  readonly activeAccounts: RawBuilder<{ id: number }>
  /** Syncs one account. It can be repeated and interrupted at any point. Throws {@link SyncError}. */
  run(account: number, run: SyncRunContext): Promise<void>
}

/** What a run works with. Everything except `signal` and `log` is stored in the database and survives a kill. */
export interface SyncRunContext {
  /** Aborted when the process stops or another process has the lease. */
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
  /** The progress of the previous run, if that run did not finish. */
  readonly progress: Readonly<Record<string, unknown>> | null
  /** The memory that an earlier run saved with {@link saveMemory}. */
  readonly memory: Readonly<Record<string, unknown>>
  saveMemory(memory: Record<string, unknown>): Promise<void>
  saveProgress(progress: Record<string, unknown>): Promise<void>
  /**
   * Runs `work` in one transaction, which stores what the account sent. Throws {@link SyncError} and stores nothing if the
   * account was changed or deactivated since the run began: its rows could be those of another person or source.
   */
  store<T>(work: (trx: Db) => Promise<T>): Promise<T>
  /** Sets the part and its page that the run fetches, which the admin's pages show. */
  setPart(part: SyncPart, page?: number): Promise<void>
  /** Adds to the counts of the run. */
  addCounts(increments: Readonly<Record<string, number>>): Promise<void>
  /**
   * Counts a request; call this before each outgoing request. Answers the current time by the database's clock. Throws
   * {@link SyncError} after the last request of the day, without the lease, and after a change of the account.
   */
  countRequest(): Promise<Date>
  /** The number of requests of this run so far. */
  readonly requestCount: number
  /** The requests left today, and the runs of this account left today, including this one. */
  readBudget(): Promise<{ requests: number; runs: number }>
  /** True if another account of the kind is due and no process syncs it. */
  hasDueAccount(): Promise<boolean>
  /** True if the run should end soon and continue later, because it takes minutes and another account is due. */
  shouldPause(): Promise<boolean>
  /** The time when a person last requested a full scan, as an ISO text. */
  readonly fullScanRequestedAt: string | null
  /** True if a person requested the run, who expects to see everything new. */
  readonly isRequested: boolean
  /** Keeps the progress for the next run although this run ends without failure. */
  keepProgress(): void
  /** Records that orders between two times (ISO texts) may be missing, so that a person checks. */
  recordGap(from: string, to: string): Promise<void>
  /**
   * Runs a part. After its failure the other parts continue. The run ends as `partial`, or as `failed` if every part that
   * made a request failed before it read a row. Fatal errors are rethrown.
   */
  runPart(part: SyncPart, work: () => Promise<void>): Promise<void>
  /** Saves the amounts that the other side owes, as decimal texts in its currency; null for an unknown amount. */
  saveBalance(balance: string | null, hold: string | null): Promise<void>
}

interface SyncErrorOptions {
  readonly seconds?: number
  /** Further reasons, at most `maxReasonDetails`. */
  readonly details?: readonly Reason[]
}

/**
 * The reason why a run or a part of it failed. `reason` is for an admin and contains no secret.
 *
 * - `rate_limited`: the other side requests a pause of `seconds`. It does not count as a failure.
 * - `sign_in`: the login of the account is refused, so no part of the run can continue.
 * - `silent`: the other side does not answer, so no part of the run can continue.
 * - `budget`: the requests of the day are used up. The next run starts tomorrow.
 * - `lost`: another process has the lease, or this process stops.
 * - `changed`: a person changed or deactivated the account. The next run reads it again and begins from the start.
 * - `failed`: any other failure.
 */
export class SyncError extends Error {
  readonly kind: 'rate_limited' | 'sign_in' | 'silent' | 'budget' | 'lost' | 'changed' | 'failed'
  readonly reason: Reason
  readonly seconds: number
  readonly details: readonly Reason[]

  constructor(kind: SyncError['kind'], reason: Reason, { seconds = 0, details = [] }: SyncErrorOptions = {}) {
    super(reason.message)
    this.name = 'SyncError'
    this.kind = kind
    this.reason = reason
    this.seconds = seconds
    this.details = details
  }
}

/** The reasons of a run that ended with an error. An unexpected error may contain a secret, so it is not a reason. */
export const getReasons = (error: unknown): readonly Reason[] =>
  error instanceof SyncError ? [error.reason, ...error.details] : [describeSync('sync_unexpected')]
