import { Type, type Static, type TSchema } from 'typebox'
import { call } from '../kit/call.ts'
import { Id, Named } from '../kit/field.ts'
import { pageOf } from '../kit/page.ts'
import { listQuery } from '../kit/resource.ts'

const time = Type.String({ format: 'date-time' })
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])

/** How a run ended: `partial` when some of it failed and the rest was kept. */
export const syncStatuses = ['running', 'done', 'partial', 'failed'] as const
const status = Type.Union(syncStatuses.map((each) => Type.Literal(each)))

const run = {
  id: Type.Integer(),
  status,
  started_at: time,
  finished_at: nullable(time),
  phase: nullable(Type.String({ description: 'What a running run is at' })),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description: 'rows, created, updated, unchanged, unmapped, requests ...',
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
    balance: nullable(Type.Number({ description: 'What the network itself reports' })),
    hold: nullable(Type.Number()),
    money_at: nullable(time),
    last_run: nullable(Type.Object(run)),
  }),
  Type.Null(),
])
export interface SyncHealth {
  running: boolean
  next_run_at: string
  failures: number
  paused_until: string | null
  pause_reason: string | null
  balance: number | null
  hold: number | null
  money_at: string | null
  last_run: Omit<
    SyncRun,
    'source_credential_id' | 'source_credential' | 'courier_account_id' | 'courier_account'
  > | null
}

/** One time that an account was fetched. Exactly one of the two accounts is there. */
export const SyncRun = Type.Object({
  ...run,
  source_credential_id: nullable(Type.Integer()),
  source_credential: nullable(Named),
  courier_account_id: nullable(Type.Integer()),
  courier_account: nullable(Named),
})
export interface SyncRun {
  id: number
  status: (typeof syncStatuses)[number]
  started_at: string
  finished_at: string | null
  phase: string | null
  counts: Record<string, number>
  error: string | null
  source_credential_id: number | null
  source_credential: Named | null
  courier_account_id: number | null
  courier_account: Named | null
}

export const listSyncRuns = call({
  id: 'sync-runs.list',
  summary: 'What was fetched, and how that went; newest first',
  method: 'GET',
  path: '/api/admin/sync-runs/',
  guard: 'admin',
  query: listQuery(['id', 'started_at'], {
    source_credential_id: Type.Integer(),
    courier_account_id: Type.Integer(),
    status,
    start_date: Type.String({ format: 'date' }),
    end_date: Type.String({ format: 'date' }),
  }),
  answer: pageOf(SyncRun),
})

const Asked = Type.Object({ id: Type.Integer(), running: Type.Boolean() })
export type SyncAsked = Static<typeof Asked>

function runNow(resource: 'source-credentials' | 'courier-accounts', noun: string) {
  return call({
    id: `${resource}.run`,
    summary: `Fetch from this ${noun} now; when it is being fetched already, once more after that`,
    method: 'POST',
    path: `/api/admin/${resource}/:id/run/`,
    guard: 'admin',
    status: 202,
    params: Type.Object({ id: Id }),
    answer: Asked,
  })
}

export const runSourceCredential = runNow('source-credentials', 'source credential')
export const runCourierAccount = runNow('courier-accounts', 'courier account')

export const syncCalls = [listSyncRuns, runSourceCredential, runCourierAccount]
