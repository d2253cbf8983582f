import { Type } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { syncRun, syncStatus, type SyncRunSummary } from '../lib/sync-health.ts'
import { DateTime, Day, nullable } from '../lib/schemas.ts'

/** One sync run of an account. Exactly one of the two accounts is set. */
export const SyncRun = Type.Object({
  ...syncRun,
  source_credential_id: nullable(Type.Integer()),
  source_credential: nullable(Named),
  courier_account_id: nullable(Type.Integer()),
  courier_account: nullable(Named),
})
export interface SyncRun extends SyncRunSummary {
  source_credential_id: number | null
  source_credential: Named | null
  courier_account_id: number | null
  courier_account: Named | null
}

export const listSyncRuns = call({
  id: 'sync-runs.list',
  summary: 'List the sync runs, newest first',
  method: 'GET',
  path: '/api/admin/sync-runs/',
  feature: 'fetching',
  guard: 'admin',
  query: listQuery(['id', 'started_at'], {
    id: Id,
    started_at: DateTime,
    finished_at: DateTime,
    source_credential_id: Id,
    courier_account_id: Id,
    status: syncStatus,
    start_date: Day,
    end_date: Day,
  }),
  answer: pageSchema(SyncRun),
})

const RunRequested = Type.Object({
  id: Type.Integer(),
  running: Type.Boolean(),
  previous_run_id: Type.Integer({ description: 'The requested run has a larger id. 0 for the first run' }),
})

function runNow(resource: 'source-credentials' | 'courier-accounts', noun: string) {
  return call({
    id: `${resource}.run`,
    summary: `Run a sync of this ${noun} now; if a run is in progress, another one follows`,
    method: 'POST',
    path: `/api/admin/${resource}/:id/run/`,
    feature: 'fetching',
    guard: 'admin',
    status: 202,
    params: Type.Object({ id: Id }),
    query: Type.Object({
      full: Type.Optional(
        Type.Boolean({
          description: 'Read all orders of a network, as once a day, and not only the recent ones',
        }),
      ),
    }),
    answer: RunRequested,
  })
}

export const runSourceCredential = runNow('source-credentials', 'source credential')
export const runCourierAccount = runNow('courier-accounts', 'courier account')

export const fetchCourierOrders = call({
  id: 'courier-accounts.fetch-orders',
  summary:
    'Fetch the orders that were created on these days again, in the next runs. A new period replaces the former one',
  method: 'POST',
  path: '/api/admin/courier-accounts/:id/fetch-orders/',
  feature: 'fetching',
  guard: 'admin',
  status: 202,
  params: Type.Object({ id: Id }),
  body: Type.Object({ date_from: Day, date_to: Day }),
  answer: RunRequested,
})

export const closeGap = call({
  id: 'source-credentials.close-gap',
  summary: 'Clear the gap of an account after its orders were checked',
  method: 'POST',
  path: '/api/admin/source-credentials/:id/close-gap/',
  feature: 'fetching',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Type.Object({ id: Type.Integer() }),
})

export const syncCalls = [listSyncRuns, runSourceCredential, runCourierAccount, fetchCourierOrders, closeGap]
