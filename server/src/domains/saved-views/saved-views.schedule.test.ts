import type { Problem } from '@karvon/contract/lib/problem.ts'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createRow, createUser } from '../../../test/people.ts'
import { buildTimes } from './saved-views.times.queries.ts'

let product: Product
let admin: Session
let lola: Session
let role: number

beforeAll(async () => {
  product = await createTestApp({ KARVON_TELEGRAM_TOKEN: '1:token' })
  const { app } = product
  admin = await signInAdmin(app)
  role = await createRow(app, admin, '/api/admin/roles/', { code: 'buyers', name: 'Buyers', source_ids: [] })
  lola = await createUser(app, admin, 'lola', role)
})
afterAll(() => product.close())
beforeEach(() => product.deps.pool.query('delete from saved_views'))

const call = (as: Session, method: 'GET' | 'POST' | 'PUT', url: string, body?: object) =>
  callApi(product.app, as, method, url, body)
const daily = { channel: 'telegram', time: '09:30', weekdays: [1, 2, 3, 4, 5, 6, 7] }
const save = (as: Session, schedule: object | null = daily, view: object = {}) =>
  call(as, 'POST', '/api/views/', { name: 'Week', address: '/explore', schedule, ...view })
const create = async (
  as: Session,
  schedule: object | null = daily,
  view: object = {},
): Promise<SavedView> => {
  const answer = await save(as, schedule, view)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json<SavedView>()
}

test('a schedule is a field of a view, and only the owner of the view reads, changes and removes it', async () => {
  const view = await create(admin, { ...daily, weekdays: [5, 1] }, { shared_role_ids: [role] })
  expect(view.schedule).toMatchObject({
    ...daily,
    weekdays: [1, 5],
    month_days: null,
    includes_roles: false,
    is_active: true,
    next_at: expect.any(String) as string,
    last_message: null,
  })
  const sharedViews = (await call(lola, 'GET', '/api/views/')).json<{ items: SavedView[] }>().items
  expect(sharedViews).toMatchObject([{ id: view.id, schedule: null }])
  expect((await call(lola, 'POST', `/api/views/${view.id}/send/`, {})).statusCode).toBe(404)
  const update = async (body: object) =>
    (await call(admin, 'PUT', `/api/views/${view.id}/`, body)).json<SavedView>().schedule
  expect(await update({ name: 'Month' })).toMatchObject({ weekdays: [1, 5] })
  expect(
    await update({ schedule: { ...daily, weekdays: null, month_days: [31], is_active: false } }),
  ).toMatchObject({
    month_days: [31],
    is_active: false,
    next_at: null,
  })
  expect(await update({ schedule: null })).toBeNull()
  expect((await call(admin, 'POST', `/api/views/${view.id}/send/`, {})).json()).toMatchObject({
    code: 'view_has_no_schedule',
  })
})

test('an error inside a schedule names its field', async () => {
  for (const [schedule, ...errors] of [
    [{ ...daily, month_days: [1] }, 'schedule.month_days', 'not_valid'],
    [{ ...daily, weekdays: null }, 'schedule.weekdays', 'required'],
    [{ ...daily, weekdays: [8] }, 'schedule.weekdays', 'above_maximum'],
    [{ ...daily, weekdays: [] }, 'schedule.weekdays', 'not_valid'],
    [{ ...daily, time: '24:00' }, 'schedule.time', 'not_valid'],
    [{ ...daily, channel: 'fax' }, 'schedule.channel', 'must_be_offered'],
    [{ ...daily, channel: undefined }, 'schedule.channel', 'required'],
    [{ ...daily, is_active: 1 }, 'schedule.is_active', 'must_be_boolean'],
    ['daily', 'schedule', 'must_be_object'],
  ] as const) {
    const answer = await save(admin, schedule as object)
    expect(answer.statusCode, JSON.stringify(schedule)).toBe(422)
    const problems = answer.json<Problem>().errors?.map(({ field, code }) => [field, code])
    expect(problems, JSON.stringify(schedule)).toEqual([errors])
  }
  const twoErrors = (await save(admin, { ...daily, time: '9', channel: 'fax' })).json<Problem>().errors
  expect(twoErrors?.map(({ field }) => field).toSorted()).toEqual(['schedule.channel', 'schedule.time'])
  expect((await save(admin, { ...daily, channel: 'mail' })).json()).toMatchObject({
    code: 'channel_not_set_up',
    errors: [{ field: 'schedule.channel' }],
  })
})

test('a person has at most 20 schedules', async () => {
  for (let n = 0; n < 20; n += 1) await create(admin, daily, { name: `View ${n}` })
  expect((await save(admin)).json()).toMatchObject({ code: 'too_many_view_schedules', params: { max: 20 } })
})

test('a view of a screen without a list that can be sent has no schedule', async () => {
  const isScheduled = async (as: Session, address: string) => {
    const answer = await save(as, daily, { address, name: address })
    if (answer.statusCode === 422)
      expect(answer.json()).toMatchObject({
        code: 'view_not_sendable',
        detail: 'A view of this screen cannot be sent.',
        errors: [{ field: 'schedule' }],
      })
    return answer.statusCode === 201
  }
  for (const address of ['/leads', '/parcels?period=today', '/statistics?tab=offers', '/explore'])
    expect([await isScheduled(admin, address), await isScheduled(lola, address)], address).toEqual([
      true,
      true,
    ])
  for (const address of ['/offers', '/leads?tab=postbacks', '/settlements'])
    expect([await isScheduled(admin, address), await isScheduled(lola, address)], address).toEqual([
      true,
      false,
    ])
  for (const address of ['/profile', '/money', '/settlements?act_id=1&tab=acts'])
    expect([await isScheduled(admin, address), await isScheduled(lola, address)], address).toEqual([
      false,
      false,
    ])
})

test('the address of a scheduled view does not change to one that cannot be sent', async () => {
  const { id } = await create(admin, daily, { address: '/settlements?tab=acts' })
  const update = (body: object) => call(admin, 'PUT', `/api/views/${id}/`, body)
  const address = '/settlements?act_id=1&tab=acts'
  for (const body of [{ address }, { address, schedule: daily }])
    expect((await update(body)).json()).toMatchObject({
      code: 'view_address_not_sendable',
      errors: [{ field: 'address' }],
    })
  expect((await update({ address, schedule: null })).json()).toMatchObject({ address, schedule: null })
  expect((await update({ address: '/settlements?person_id=1&tab=acts' })).statusCode).toBe(200)
})

test.each([
  // Tashkent is at +05 and has no summer time.
  ['2026-02-10', 'null', '{31}', '2026-02-28T09:30'],
  ['2028-02-10', 'null', '{30,31}', '2028-02-29T09:30'],
  ['2026-11-30', 'null', '{31}', '2026-11-30T09:30'],
  ['2026-02-01', 'null', '{15}', '2026-02-15T09:30'],
  ['2026-11-24', "'{1}'", null, '2026-11-30T09:30'],
])(
  'from %s on, the next time of a schedule with the weekdays %s or the days %s is %s',
  async (today, weekdays, days, next) => {
    const schedule = `(select time '09:30' as time, ${weekdays === 'null' ? 'null' : weekdays}::smallint[] as weekdays,
    ${days === null ? 'null' : `'${days}'`}::smallint[] as month_days)`
    const at = `date '${today}'`
    const rows = (
      await product.deps.pool.query<{ t: string }>(
        `select to_char(min(t) at time zone 'Asia/Tashkent', 'YYYY-MM-DD"T"HH24:MI') as t
     from ${schedule} s cross join lateral (${buildTimes('s', at, `${at} + 32`)}) times`,
      )
    ).rows
    expect(rows[0]?.t).toBe(next)
  },
)

test('the audit log has the changes of a schedule, and a schedule that is switched off has no queued message', async () => {
  const { pool } = product.deps
  await pool.query(`delete from audit_log where resource = 'saved-views'`)
  const { id } = await create(lola)
  const update = (body: object) => call(lola, 'PUT', `/api/views/${id}/`, body)
  for (let n = 0; n < 2; n += 1) await call(lola, 'POST', `/api/views/${id}/send/`, {})
  await update({ schedule: daily })
  const count = async () =>
    (await pool.query<{ n: number }>('select count(*) as n from view_messages')).rows[0]?.n
  expect(await count()).toBe(1)
  await update({ schedule: { ...daily, is_active: false } })
  expect(await count()).toBe(0)
  const { rows } = await pool.query<{ action: string; new_values: { schedule?: object } }>(
    `select action, new_values from audit_log where resource = 'saved-views' order by id`,
  )
  expect(rows.map(({ action, new_values }) => [action, new_values.schedule])).toEqual([
    ['create', expect.objectContaining({ is_active: true, time: '09:30' })],
    ['update', expect.objectContaining({ is_active: false })],
  ])
})

test('a person who sends views too often must wait, also after the view is saved again', async () => {
  const vali = await createUser(product.app, admin, 'vali', role)
  for (let n = 0; n < 59; n += 1) {
    const answer = await call(vali, 'POST', '/api/views/1/send/', {})
    expect(answer.statusCode, answer.body).toBe(404)
  }
  const { id } = await create(vali)
  const answer = await call(vali, 'POST', `/api/views/${id}/send/`, {})
  expect(answer.json()).toMatchObject({ code: 'too_many_requests' })
  expect(answer.headers['retry-after']).toBeDefined()
  expect((await save(vali, daily, { name: 'Other' })).statusCode).toBe(429)
  expect((await save(vali, null, { name: 'Other' })).statusCode).toBe(201)
})
