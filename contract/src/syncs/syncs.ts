import { Type } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { syncRun, syncStatus, type SyncRunSummary } from '../lib/sync-health.ts'
import { Day, nullable } from '../lib/schemas.ts'

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
  summary: 'What was fetched, and how that went; newest first',
  method: 'GET',
  path: '/api/admin/sync-runs/',
  feature: 'fetching',
  guard: 'admin',
  query: listQuery(['id', 'started_at'], {
    source_credential_id: Id,
    courier_account_id: Id,
    status: syncStatus,
    start_date: Day,
    end_date: Day,
  }),
  answer: pageSchema(SyncRun),
})

const RunRequested = Type.Object({ id: Type.Integer(), running: Type.Boolean() })

function runNow(resource: 'source-credentials' | 'courier-accounts', noun: string) {
  return call({
    id: `${resource}.run`,
    summary: `Fetch from this ${noun} now; when it is being fetched already, once more after that`,
    method: 'POST',
    path: `/api/admin/${resource}/:id/run/`,
    feature: 'fetching',
    guard: 'admin',
    status: 202,
    params: Type.Object({ id: Id }),
    query: Type.Object({
      full: Type.Optional(
        Type.Boolean({
          description: 'Read every order of a network, as is done once a day, not the recent ones alone',
        }),
      ),
    }),
    answer: RunRequested,
  })
}

export const runSourceCredential = runNow('source-credentials', 'source credential')
export const runCourierAccount = runNow('courier-accounts', 'courier account')

export const closeGap = call({
  id: 'source-credentials.close-gap',
  summary: 'Orders that may have been missing were looked for: take the mark away from the account',
  method: 'POST',
  path: '/api/admin/source-credentials/:id/close-gap/',
  feature: 'fetching',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Type.Object({ id: Type.Integer() }),
})

export const syncCalls = [listSyncRuns, runSourceCredential, runCourierAccount, closeGap]
