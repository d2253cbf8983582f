import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import type { SyncHealth, SyncReason, SyncRunSummary } from '@karvon/contract/lib/sync-health.ts'
import { expect, test } from 'vitest'
import { formatError, getHealthState, getProblem } from './health.state.ts'

const run: SyncRunSummary = {
  id: 1,
  status: 'done',
  started_at: '2026-11-20T10:00:00+05:00',
  finished_at: '2026-11-20T10:00:09+05:00',
  part: null,
  page: null,
  counts: { rows: 5 },
  error: null,
  reasons: [],
}
const fine: SyncHealth = {
  running: false,
  next_run_at: '2026-11-20T10:05:00+05:00',
  failures: 0,
  paused_until: null,
  pause_reason: null,
  gap: null,
  requested_orders: null,
  balance: null,
  hold: null,
  money_at: null,
  last_run: run,
}
const failedHealth = {
  ...fine,
  failures: 1,
  last_run: { ...run, status: 'failed' as const, error: 'No answer.' },
}
const moment = (iso: string) => iso.slice(11, 16)
const pauseFields = { paused_until: '2026-11-20T10:20:00+05:00', pause_reason: 'Asked to wait.' }

test.each([
  ['orders', 1, 'orders'],
  ['parcels', 2, 'parcels, page 2'],
  ['all_orders', 3, 'all orders, page 3'],
  ['acts', null, 'acts'],
] as const)('the part %s of a run at page %s is shown as %s', (part, page, text) => {
  const health: SyncHealth = { ...fine, running: true, last_run: { ...run, status: 'running', part, page } }
  expect(getHealthState(health, false, moment).text).toBe(`Fetching… ${text}`)
})

test.each<[string, SyncHealth | null, boolean, string, string]>([
  ['never', null, false, 'Never', 'neutral'],
  ['never, due', { ...fine, last_run: null }, false, 'Never', 'neutral'],
  ['asked for', fine, true, 'Queued…', 'wait'],
  ['asked for while it rests', { ...failedHealth, ...pauseFields }, true, 'Queued…', 'wait'],
  ['done', fine, false, 'OK', 'ok'],
  ['in part', { ...fine, last_run: { ...run, status: 'partial' } }, false, 'Partly', 'wait'],
  ['failed', failedHealth, false, 'Failed', 'bad'],
  ['resting', { ...failedHealth, ...pauseFields }, false, 'Resting until 10:20', 'wait'],
  ['its process is gone', { ...fine, last_run: { ...run, status: 'running' } }, false, 'Interrupted', 'wait'],
  [
    'running',
    { ...failedHealth, running: true, last_run: { ...run, part: 'orders', page: 3 } },
    true,
    'Fetching… orders, page 3',
    'info',
  ],
  ['about to run', { ...fine, running: true, last_run: null }, false, 'Fetching…', 'info'],
])('the health text of an account: %s', (_, health, isRequested, text, tone) => {
  expect(getHealthState(health, isRequested, moment)).toEqual({ text, tone })
})

test('the problem of an account is its last error, with the number of failures, and none during a run', () => {
  expect(getProblem({ ...failedHealth, ...pauseFields, failures: 5 })).toBe('5 failures in a row. No answer.')
  expect(getProblem(failedHealth)).toBe('No answer.')
  expect([getProblem(null), getProblem(fine), getProblem({ ...failedHealth, running: true })]).toEqual([
    null,
    null,
    null,
  ])
})

test('the error of a run names the part of each reason; an older run has the sentence only', () => {
  const reasons: SyncReason[] = [
    { part: 'all_orders', ...describeSync('network_status', { status: 500 }) },
    { part: null, ...describeSync('sync_interrupted') },
  ]
  expect(formatError({ error: '-', reasons })).toBe('all orders: The network answered 500. Interrupted')
  expect(formatError({ error: 'No answer.', reasons: [] })).toBe('No answer.')
  expect(formatError({ error: 'No answer.' })).toBe('No answer.')
})
