import { Type, type TSchema } from 'typebox'

const time = Type.String({ format: 'date-time' })
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])

/** How a run ended: `partial` when some of it failed and the rest was kept. */
export const syncStatuses = ['running', 'done', 'partial', 'failed'] as const
export const syncStatus = Type.Union(syncStatuses.map((each) => Type.Literal(each)))

/** What every telling of a run has. */
export const syncRun = {
  id: Type.Integer(),
  status: syncStatus,
  started_at: time,
  finished_at: nullable(time),
  phase: nullable(Type.String({ description: 'What a running run is at' })),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description:
      'rows, created, updated, unchanged, unmapped, requests; catch_up_hours and catch_up_orders after a pause; ' +
      'late_changes that the daily reading of all orders found ...',
  }),
  error: nullable(Type.String()),
}

/** How the account of a network or of the courier fares, as its row carries it; null before it was ever due. */
export const SyncHealth = Type.Union([
  Type.Object({
    running: Type.Boolean(),
    next_run_at: time,
    failures: Type.Integer({ description: 'In a row' }),
    paused_until: nullable(time),
    pause_reason: nullable(Type.String()),
    gap: nullable(
      Type.Object(
        { from: time, to: time },
        { description: 'Orders made between may be missing: the list no longer reached back to them' },
      ),
    ),
    balance: nullable(Type.Number({ description: 'What the network itself reports' })),
    hold: nullable(Type.Number()),
    money_at: nullable(time),
    last_run: nullable(Type.Object(syncRun)),
  }),
  Type.Null(),
])
export interface SyncRunSummary {
  id: number
  status: (typeof syncStatuses)[number]
  started_at: string
  finished_at: string | null
  phase: string | null
  counts: Record<string, number>
  error: string | null
}
export interface SyncHealth {
  running: boolean
  next_run_at: string
  failures: number
  paused_until: string | null
  pause_reason: string | null
  gap: { from: string; to: string } | null
  balance: number | null
  hold: number | null
  money_at: string | null
  last_run: SyncRunSummary | null
}
