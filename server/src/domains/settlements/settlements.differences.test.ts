import type { SettlementDifferenceWithNotes } from '@karvon/contract/settlements/differences.ts'
import { maxNotes } from '@karvon/contract/lib/limits.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi } from '../../../test/app.ts'
import { createSettlementFixture, type SettlementFixture } from '../../../test/settlements.ts'

let fixture: SettlementFixture
let id: number

beforeAll(async () => {
  fixture = await createSettlementFixture()
})
beforeEach(async () => {
  await fixture.query('delete from settlement_notes')
  await fixture.query('delete from settlement_differences')
  await fixture.query('delete from parcels')
  await fixture.addParcels(fixture.azizId, [{ orderno: 'a', cash: 100_000 }])
  const rows = await fixture.query<{ id: number }>(
    `insert into settlement_differences (courier_account_id, parcel_id, orderno, kind, expected, difference)
     select $1, id, orderno, 'missing', 100000, -100000 from parcels returning id`,
    [fixture.account],
  )
  id = rows[0]?.id ?? 0
})
afterAll(() => fixture.close())

const url = () => `/api/admin/settlement-differences/${id}/`
const change = (body: object) => callApi(fixture.product.app, fixture.admin, 'PUT', url(), body)
const read = async () =>
  (await callApi(fixture.product.app, fixture.admin, 'GET', url())).json<SettlementDifferenceWithNotes>()
const list = async (query: string) =>
  (
    await callApi(fixture.product.app, fixture.admin, 'GET', `/api/admin/settlement-differences/?${query}`)
  ).json<{ items: object[] }>().items

test('a difference is assigned, noted, resolved with a reason and reopened, each with an audit entry', async () => {
  expect((await change({ assignee_id: fixture.azizId })).json()).toMatchObject({
    assignee_id: fixture.azizId,
    assignee: { name: 'aziz' },
    status: 'open',
  })
  expect((await change({ note: ' Asked the courier ' })).json()).toMatchObject({
    notes: [{ text: 'Asked the courier', user: { name: expect.any(String) } }],
    notes_total: 1,
  })
  expect((await change({ status: 'resolved', note: 'Paid in cash' })).json()).toMatchObject({
    status: 'resolved',
    reason: 'Paid in cash',
    resolved_by: { name: expect.any(String) },
    resolved_at: expect.any(String),
    notes_total: 2,
  })
  expect((await change({ status: 'open' })).json()).toMatchObject({
    status: 'open',
    reason: null,
    resolved_by: null,
    resolved_at: null,
    assignee_id: fixture.azizId,
  })
  const audit = `/api/admin/audit/?resource=settlement-differences&row_id=${id}&sort=id`
  const entries = (await callApi(fixture.product.app, fixture.admin, 'GET', audit)).json<{
    items: object[]
  }>()
  expect(entries.items).toMatchObject([
    { action: 'update', old_values: { assignee_id: null }, new_values: { assignee_id: fixture.azizId } },
    { new_values: { note: 'Asked the courier' } },
    { old_values: { status: 'open' }, new_values: { status: 'resolved', note: 'Paid in cash' } },
    { old_values: { status: 'resolved' }, new_values: { status: 'open', reason: null } },
  ])
})

test('a resolution without a reason, an empty note and an unknown person are refused', async () => {
  for (const [body, field] of [
    [{ status: 'resolved' }, 'note'],
    [{ note: '  ' }, 'note'],
    [{ assignee_id: 999_999 }, 'assignee_id'],
    [{ status: 'lost' }, 'status'],
  ] as const) {
    const answer = await change(body)
    expect(answer.statusCode, JSON.stringify(body)).toBe(422)
    expect(answer.json()).toMatchObject({ errors: [{ field }] })
  }
  expect(await read()).toMatchObject({ status: 'open', notes_total: 0, assignee_id: null })
})

test('the second of two people who resolve the same version of a difference gets a conflict', async () => {
  const { updated_at } = await read()
  const answers = await Promise.all(
    ['first', 'second'].map((note) => change({ status: 'resolved', note, updated_at })),
  )
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(await read()).toMatchObject({ status: 'resolved', notes_total: 1 })
})

test('a difference has a limit of notes', async () => {
  await fixture.query(
    `insert into settlement_notes (difference_id, user_id, text) select $1, $2, 'n' from generate_series(2, $3::int)`,
    [id, fixture.azizId, maxNotes],
  )
  expect((await change({ note: 'the last' })).statusCode).toBe(200)
  const answer = await change({ note: 'one too many' })
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([
    409,
    'too_many_difference_notes',
  ])
  expect((await read()).notes_total).toBe(maxNotes)
})

test('the list finds differences by kind, status, account, parcel, assignee and order number', async () => {
  const { parcel_id } = await read()
  const matchingFilters = [
    'kind=missing',
    'status=open',
    `courier_account_id=${fixture.account}`,
    `parcel_id=${parcel_id}`,
  ]
  for (const query of [
    ...matchingFilters,
    'assignee_id=0',
    'search=A',
    `${matchingFilters.join('&')}&sort=-difference`,
  ])
    expect(await list(query), query).toHaveLength(1)
  for (const query of [
    'kind=fee',
    'status=resolved',
    'act_id=1',
    `assignee_id=${fixture.azizId}`,
    'search=b',
  ])
    expect(await list(query), query).toEqual([])
})

test('a missing parcel that a person resolved stays resolved', async () => {
  await fixture.query(
    `insert into settlement_acts (courier_account_id, currency, number, act_date, content_hash) values ($1, 'UZS', '1', current_date, '')
     on conflict do nothing`,
    [fixture.account],
  )
  await change({ status: 'resolved', note: 'Lost at the courier' })
  await fixture.runJob()
  expect(await list('status=open')).toEqual([])
})
