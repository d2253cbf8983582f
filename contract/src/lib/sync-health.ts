import { Type } from 'typebox'
import { Reason } from './problem.ts'
import { DateTime, Day, NullableDateTime, NullableText, nullable, OneOf } from './schemas.ts'

/** The status of a sync run. `partial`: one part failed and the rest was stored. */
export const syncStatuses = ['running', 'done', 'partial', 'failed'] as const
export const syncStatus = OneOf(syncStatuses)

/**
 * The parts of a run: what it fetches. `all_orders` is the daily scan of all orders of a network, and `requested_parcels` are the
 * parcels of the days that a person requested.
 */
export const syncParts = [
  'offers',
  'streams',
  'orders',
  'transactions',
  'withdrawals',
  'finance',
  'all_orders',
  'parcels',
  'requested_parcels',
  'acts',
] as const
export type SyncPart = (typeof syncParts)[number]

/** The most reasons of one part beside the first. */
export const maxReasonDetails = 3

/** Why a run or one of its parts failed. `part` is null for the whole run. */
export const SyncReason = Type.Object({ part: nullable(OneOf(syncParts)), ...Reason.properties })
export type SyncReason = Reason & { part: SyncPart | null }

/** The properties of a sync run in every answer. */
export const syncRun = {
  id: Type.Integer(),
  status: syncStatus,
  started_at: DateTime,
  finished_at: NullableDateTime,
  part: nullable(OneOf(syncParts)),
  page: nullable(Type.Integer({ description: 'The page or batch of `part` that a running run fetches' })),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description:
      'rows, created, updated, unchanged, unmapped, unreadable, requests; catch_up_hours and catch_up_orders after a pause; ' +
      'full_scans, full_scan_rows and late_changes of the daily scans of all orders; act_lines of the courier',
  }),
  error: NullableText,
  reasons: Type.Array(SyncReason, {
    // One for each part, or one for the whole run, and the details of one.
    maxItems: syncParts.length + maxReasonDetails,
    description: 'The reasons in `error`, with their codes',
  }),
}

/** The sync state of a network's or the courier's account, on its row. Null before the first schedule. */
export const SyncHealth = Type.Union([
  Type.Object({
    running: Type.Boolean(),
    next_run_at: DateTime,
    failures: Type.Integer({ description: 'The number of failures in a row' }),
    paused_until: NullableDateTime,
    pause_reason: NullableText,
    gap: nullable(
      Type.Object(
        { from: DateTime, to: DateTime },
        {
          description:
            'Orders created between these times may be missing, because the network no longer listed them',
        },
      ),
    ),
    requested_orders: nullable(
      Type.Object(
        { from: Day, to: Day },
        { description: 'The days, inclusive, whose orders a person requested and that are not fetched yet' },
      ),
    ),
    balance: nullable(Type.Number({ description: 'The amount that the network reports' })),
    hold: nullable(Type.Number()),
    money_at: NullableDateTime,
    last_run: nullable(Type.Object(syncRun)),
  }),
  Type.Null(),
])
export interface SyncRunSummary {
  id: number
  status: (typeof syncStatuses)[number]
  started_at: string
  finished_at: string | null
  part: SyncPart | null
  page: number | null
  counts: Record<string, number>
  error: string | null
  reasons: SyncReason[]
}
export interface SyncHealth {
  running: boolean
  next_run_at: string
  failures: number
  paused_until: string | null
  pause_reason: string | null
  gap: { from: string; to: string } | null
  requested_orders: { from: string; to: string } | null
  balance: number | null
  hold: number | null
  money_at: string | null
  last_run: SyncRunSummary | null
}
