import type { Alert } from '@karvon/contract/alerts/inbox.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { callApi } from '../../../test/app.ts'
import { openBuyer } from '../../../test/buyer.ts'
import { evaluateAlerts } from './alerts.evaluate.ts'

const buyer = await openBuyer()
const { app, deps } = buyer.product
const query = async (text: string, values: unknown[] = []) => (await deps.pool.query(text, values)).rows
afterAll(() => buyer.close())
beforeEach(async () => {
  await buyer.newStream()
  await query('delete from outgoing_postbacks')
  await query('delete from alert_incidents')
  await query(`update alert_rules set is_active = kind = 'postbacks_refused', next_at = '-infinity'`)
})

/** Queues the postbacks of five leads. */
const queueFive = () =>
  buyer.ingest(...[1, 2, 3, 4, 5].map((n) => ({ external_id: String(n), source_status: 'sold' })))
/** Evaluates the rules, by default now. */
const evaluate = async (minutes = 0) => {
  await query('update alert_evaluations set evaluated_at = null')
  const [row] = await query(`select now() + make_interval(mins => $1) as at`, [minutes])
  return evaluateAlerts(deps.db, { at: String(row?.at), currency: deps.config.currency })
}
const listAlerts = async () =>
  (await callApi(app, buyer.admin, 'GET', '/api/inbox/')).json<Page<Alert>>().items

test('postbacks that a tracker refuses at last count from their refusal, however long they were retried', async () => {
  const { id } = await buyer.addTemplate('/?s={status}')
  await queueFive()
  await query(`update outgoing_postbacks set created_at = now() - interval '5 hours', attempts = 9`)
  buyer.tracker.mode = 'broken'
  await evaluate()
  expect(await listAlerts()).toEqual([])
  await buyer.runJob()
  expect((await buyer.log()).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'refused'))
  await evaluate()
  expect(await listAlerts()).toMatchObject([{ subject: { id, kind: 'template' }, value: 5, ended_at: null }])
  expect((await evaluate(59)).endedIds).toEqual([])
  expect((await evaluate(61)).endedIds).toHaveLength(1)
})

test('postbacks of a template that was switched off do not count after it is switched on again', async () => {
  const { id } = await buyer.addTemplate('/?s={status}')
  const change = async (is_active: boolean) =>
    (await callApi(app, buyer.admin, 'PUT', `/api/admin/postback-templates/${id}`, { is_active })).statusCode
  await queueFive()
  expect(await change(false)).toBe(200)
  await buyer.runJob()
  expect(await change(true)).toBe(200)
  expect((await buyer.log()).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'refused'))
  expect((await evaluate()).startedIds).toEqual([])
})
