import type { LeadWithHistory } from '@karvon/contract/leads/leads.ts'
import type { OutgoingPostback } from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callApi } from '../../../test/app.ts'
import { openBuyer, type Buyer } from '../../../test/buyer.ts'

let buyer: Buyer
beforeAll(async () => {
  buyer = await openBuyer()
})
beforeEach(async () => {
  await buyer.product.deps.pool.query('delete from outgoing_postbacks')
  await buyer.newStream()
})
afterAll(() => buyer.close())

const retry = (id: number | undefined) =>
  callApi(buyer.product.app, buyer.admin, 'POST', `/api/admin/outgoing-postbacks/${id}/retry/`)
const at = (hour: number) => `2026-11-20T1${hour}:00:00Z`

test('a search of outgoing postbacks finds the exact begin of the external id', async () => {
  await buyer.addTemplate('/one')
  await buyer.ingest({ external_id: 'go1', source_status: 'sold' })
  await buyer.runJob()
  expect(await buyer.log('search=go')).toHaveLength(1)
  expect(await buyer.log("search=go'")).toEqual([])
})

test('outgoing postbacks are filtered by status, template, lead and period, searched by lead, and sorted', async () => {
  const firstTemplate = await buyer.addTemplate('/one')
  const secondTemplate = await buyer.addTemplate('/two', { state: 'sold' })
  buyer.tracker.modes.set('/two', 'unknown')
  await buyer.ingest(
    { external_id: 'AB-1', source_status: 'sold' },
    { external_id: 'AB%2', source_status: 'sent' },
  )
  await buyer.runJob()
  await buyer.ingest({ external_id: 'ab-3', source_status: 'hold' })
  await buyer.product.deps.pool.query(
    `update outgoing_postbacks set created_at = '2026-11-19T23:30:00+05:00' where template_id = $1`,
    [secondTemplate.id],
  )
  const rows = await buyer.log()
  const ids = async (query: string) =>
    (await buyer.log(query)).map(({ lead, template }) => `${lead.external_id} ${template?.id}`)
  expect(await ids('')).toHaveLength(4)
  expect((await ids('status=sent')).toSorted()).toEqual([
    `AB%2 ${firstTemplate.id}`,
    `AB-1 ${firstTemplate.id}`,
  ])
  expect(await ids('status=refused')).toEqual([`AB-1 ${secondTemplate.id}`])
  expect(await ids('status=queued')).toEqual([`ab-3 ${firstTemplate.id}`])
  expect(await ids(`template_id=${secondTemplate.id}`)).toEqual([`AB-1 ${secondTemplate.id}`])
  const first = rows.find(({ lead }) => lead.external_id === 'AB-1')
  expect(await ids(`lead_id=${first?.lead.id}`)).toHaveLength(2)
  expect(await ids('search=AB')).toHaveLength(3)
  expect(await ids('search=AB%25')).toEqual([`AB%2 ${firstTemplate.id}`])
  expect(await ids('start_date=2026-11-19&end_date=2026-11-19')).toEqual([`AB-1 ${secondTemplate.id}`])
  expect(await ids('end_date=2026-11-18')).toEqual([])
  expect(await ids('start_date=2026-11-20')).toHaveLength(3)
  const page = await callApi(
    buyer.product.app,
    buyer.admin,
    'GET',
    '/api/admin/outgoing-postbacks/?sort=-attempts&per_page=2&page=2&status=sent',
  )
  expect(page.json()).toMatchObject({ items: [], meta: { total: 4, filtered_total: 2, last_page: 1 } })
  for (const bad of ['status=lost', 'sort=url', 'start_date=2026-13-01', 'template_id=x'])
    expect(
      (await callApi(buyer.product.app, buyer.admin, 'GET', `/api/admin/outgoing-postbacks/?${bad}`))
        .statusCode,
    ).toBe(422)
})

describe('Retries', () => {
  test('a retry of a refused postback resets its attempts, and the audit log has it', async () => {
    await buyer.addTemplate('/')
    buyer.tracker.mode = 'unknown'
    await buyer.ingest({ external_id: '1', source_status: 'sold' })
    await buyer.runJob()
    const [row] = await buyer.log()
    let triggerCount = 0
    buyer.product.deps.jobTrigger.once('outgoing-postbacks', () => (triggerCount += 1))
    const answer = await retry(row?.id)
    expect([answer.statusCode, triggerCount]).toEqual([200, 1])
    expect(answer.json<OutgoingPostback>()).toMatchObject({ id: row?.id, status: 'queued', attempts: 0 })
    buyer.tracker.mode = 'ok'
    await buyer.runJob('asIs')
    expect((await buyer.log())[0]).toMatchObject({ status: 'sent', attempts: 1, last_error: null })
    const retryAnswer = await callApi(
      buyer.product.app,
      buyer.admin,
      'POST',
      `/api/admin/outgoing-postbacks/${row?.id}/retry/`,
    )
    expect(retryAnswer.json()).toEqual({ detail: 'It was already sent.', code: 'already_sent' })
    const auditRows = await buyer.product.deps.db
      .selectFrom('audit_log')
      .select(['action', 'old_values', 'new_values'])
      .where('resource', '=', 'outgoing-postbacks')
      .where('row_id', '=', row?.id ?? 0)
      .execute()
    expect(auditRows).toEqual([
      {
        action: 'retry',
        old_values: { status: 'refused', attempts: 1 },
        new_values: { status: 'queued', attempts: 0 },
      },
    ])
  })

  test('a retry of a waiting postback sends it at once', async () => {
    await buyer.addTemplate('/')
    buyer.tracker.mode = 'broken'
    await buyer.ingest({ external_id: '1', source_status: 'sold' })
    await buyer.runJob()
    buyer.tracker.mode = 'ok'
    await buyer.runJob('asIs')
    const [row] = await buyer.log()
    expect(row?.status).toBe('queued')
    expect((await retry(row?.id)).statusCode).toBe(200)
    await buyer.runJob('asIs')
    expect((await buyer.log())[0]?.status).toBe('sent')
  })

  test('a retry is refused with 409 if the tracker already knows a newer state or the same URL', async () => {
    await buyer.addTemplate('/?s={status}')
    buyer.tracker.mode = 'unknown'
    await buyer.ingest({ external_id: '1', source_status: 'sent', updated_at: at(0) })
    await buyer.runJob()
    await buyer.ingest({ external_id: '1', source_status: 'sold', updated_at: at(1) })
    const [older] = await buyer.log()
    const newer = 'A newer change of this lead was queued or sent, and this one would undo it at the tracker.'
    expect((await retry(older?.id)).json()).toEqual({ detail: newer, code: 'newer_change_queued' })
    buyer.tracker.mode = 'ok'
    await buyer.runJob()
    expect((await retry(older?.id)).json()).toEqual({ detail: newer, code: 'newer_change_queued' })
    // The same URL again: nothing is sent or retried.
    await buyer.ingest({ external_id: '1', source_status: 'delivered', updated_at: at(2) })
    await buyer.runJob()
    const sameRow = (await buyer.log('status=same'))[0]
    expect((await retry(sameRow?.id)).json()).toHaveProperty(
      'detail',
      'This URL was already sent to its tracker.',
    )
  })

  test('a retry of one of several refused postbacks sends the oldest first', async () => {
    await buyer.addTemplate('/?s={status}')
    buyer.tracker.mode = 'unknown'
    await buyer.ingest({ external_id: '1', source_status: 'sent', updated_at: at(0) })
    await buyer.runJob()
    await buyer.ingest({ external_id: '1', source_status: 'sold', updated_at: at(1) })
    await buyer.runJob()
    buyer.tracker.mode = 'ok'
    for (const { id } of await buyer.log()) expect((await retry(id)).statusCode).toBe(200)
    await buyer.runJob('asIs')
    expect(
      buyer.tracker.requests.filter(({ isCounted }) => isCounted).map(({ params }) => params['s']),
    ).toEqual(['send', 'sold'])
  })

  test('a retry is refused if the template is deleted or the postback is unknown', async () => {
    const { id } = await buyer.addTemplate('/')
    buyer.tracker.mode = 'unknown'
    await buyer.ingest({ external_id: '1', source_status: 'sold' })
    await buyer.runJob()
    await callApi(buyer.product.app, buyer.admin, 'DELETE', `/api/admin/postback-templates/${id}`)
    const [row] = await buyer.log()
    expect((await retry(row?.id)).json()).toEqual({
      detail: 'Its template was deleted, so there is nowhere to send it.',
      code: 'template_deleted',
    })
    expect((await retry(999_999)).json()).toEqual({
      detail: 'No such postback.',
      code: 'not_found',
      params: { noun: 'postback' },
    })
  })
})

test('a change of the currency alone is in the history of the lead and sent, each change with its currency', async () => {
  await buyer.addTemplate('/?p={payout}&c={currency}')
  await buyer.ingest({
    external_id: '1',
    source_status: 'sold',
    payout: '5',
    currency: 'UZS',
    updated_at: at(1),
  })
  await buyer.ingest({
    external_id: '1',
    source_status: 'sold',
    payout: '5',
    currency: 'USD',
    updated_at: at(2),
  })
  await buyer.runJob()
  expect(buyer.tracker.requests.map(({ params }) => params)).toEqual([
    { p: '5', c: 'UZS' },
    { p: '5', c: 'USD' },
  ])
  const { rows } = await buyer.product.deps.pool.query<{ id: number }>(
    'select id from leads where stream_id = $1',
    [buyer.streamId],
  )
  const answer = await callApi(
    buyer.product.app,
    buyer.admin,
    'GET',
    `/api/admin/leads/${String(rows[0]?.id)}/`,
  )
  expect(answer.json<LeadWithHistory>().history).toMatchObject([
    { payout: 5, currency: 'USD' },
    { payout: 5, currency: 'UZS' },
  ])
})

test('a URL that the values of the lead make too long is refused and not stored', async () => {
  await buyer.addTemplate(`/x?offer=${'{offer_name}'.repeat(50)}`)
  await buyer.ingest({ external_id: '1', source_status: 'sold', offer: 'Ж'.repeat(255) })
  await buyer.runJob()
  const last_error = 'The address with the values of the lead has more than 8192 characters.'
  expect(await buyer.log()).toMatchObject([{ status: 'refused', url: null, last_error }])
  expect(buyer.tracker.requests).toEqual([])
})

test('a change keeps the stream of its lead when the template is moved to another stream', async () => {
  const { id } = await buyer.addTemplate('/?stream={stream_id}')
  const oldStreamId = buyer.streamId
  await buyer.ingest({ external_id: 'moved', source_status: 'sold' })
  await buyer.newStream()
  const update = { stream_id: buyer.streamId }
  const { app } = buyer.product
  const answer = await callApi(app, buyer.admin, 'POST', `/api/admin/postback-templates/${id}/`, update)
  expect(answer.json()).toMatchObject(update)
  await buyer.runJob()
  expect(buyer.tracker.requests.map(({ params }) => params)).toEqual([{ stream: String(oldStreamId) }])
})
