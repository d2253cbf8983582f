import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAccounts, type Accounts } from '../../../test/accounts.ts'
import { callApi, createTestApp } from '../../../test/app.ts'
import { maxWaitingAccounts } from './accounts.limits.ts'

let fixture: Accounts
beforeAll(async () => {
  fixture = await openAccounts()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  await fixture.query('delete from sign_in_failures')
  await fixture.query('delete from users where waiting')
})

const form = (username: string, extraFields = {}) => ({
  username,
  email: 'new@example.uz',
  password: 'novyy-parol',
  ...extraFields,
})
const register = (username: string, extraFields = {}, address?: string) =>
  fixture.post('register', form(username, extraFields), address)
const signingIn = async (username: string, password = 'novyy-parol') =>
  (await fixture.post('login', { username, password })).statusCode
const rowOf = async (username: string) => {
  const answer = await callApi(
    fixture.product.app,
    fixture.admin,
    'GET',
    `/api/admin/users/?search=${username}`,
  )
  return answer.json<{ items: Record<string, unknown>[] }>().items[0]
}
const put = (id: unknown, verb: string) =>
  callApi(fixture.product.app, fixture.admin, 'PUT', `/api/admin/users/${String(id)}/${verb}`)

describe('Registration', () => {
  test('a registration makes an account that waits for an admin and works once it is activated', async () => {
    const answer = await register(' Nodira ')
    expect([answer.statusCode, answer.json()]).toEqual([202, { registered: true }])
    expect(await signingIn('nodira')).toBe(401)
    const waiting = await rowOf('Nodira')
    expect(waiting).toMatchObject({ username: 'Nodira', name: 'Nodira', is_active: false, waiting: true })
    expect(waiting).toMatchObject({ role: { name: 'User' }, email: 'new@example.uz' })
    expect(waiting).not.toHaveProperty('registered_from')
    const list = await callApi(fixture.product.app, fixture.admin, 'GET', '/api/admin/users/?waiting=true')
    expect(list.json()).toMatchObject({ meta: { filtered_total: 1 } })
    expect((await put(waiting?.id, 'activate')).json()).toMatchObject({ is_active: true, waiting: false })
    expect(await signingIn('nodira')).toBe(200)
    const auditRows = await fixture.query(
      `select action, new_values::text as now from audit_log where resource = 'users' and row_id = $1 order by id`,
      [waiting?.id],
    )
    expect(auditRows.map(({ action }) => action)).toEqual(['create', 'activate'])
    expect(JSON.stringify(auditRows)).not.toContain('novyy-parol')
  })

  test('a rejected registration leaves the account inactive and no longer waiting', async () => {
    await register('unwanted')
    const row = await rowOf('unwanted')
    expect((await put(row?.id, 'deactivate')).json()).toMatchObject({ is_active: false, waiting: false })
    expect(await fixture.query('select registered_from from users where id = $1', [row?.id])).toEqual([
      { registered_from: null },
    ])
  })

  test('a registration with a used username answers 409 in any letter case, and does not check the email', async () => {
    await register('taken-one')
    for (const username of ['taken-one', 'TAKEN-ONE', 'admin']) {
      const answer = await register(username, { email: 'other@example.uz' })
      expect([answer.statusCode, answer.json()]).toMatchObject([
        409,
        { code: 'already_exists', errors: [{ field: 'username' }] },
      ])
    }
    expect((await register('another')).statusCode).toBe(202)
  })

  test('a registration ignores other fields and refuses invalid values', async () => {
    const extraFields = {
      role_id: 1,
      is_active: true,
      waiting: false,
      id: 77,
      extra_id: 'x',
      second_factor: true,
    }
    expect((await register('modest', extraFields)).statusCode).toBe(202)
    expect(await rowOf('modest')).toMatchObject({
      role_id: 2,
      is_active: false,
      waiting: true,
      extra_id: null,
    })
    const wrong = {
      password: ['1234567', ' '.repeat(0), 'x'.repeat(257), 12345678, null],
      email: ['', 'nobody', 'a@b.uz\r\nBcc: all@example.uz', 'a b@c.uz', 'x'.repeat(260) + '@c.uz'],
      username: ['', ' ', 'two\nlines', 'nul\0', 'x'.repeat(101), { a: 1 }],
      name: ['two\r\nlines', 'x'.repeat(256), 7],
    }
    for (const [key, values] of Object.entries(wrong)) {
      for (const value of values) {
        const answer = await register('wrong', { [key]: value })
        expect([answer.statusCode, key, value]).toEqual([422, key, value])
      }
    }
    expect(await rowOf('wrong')).toBeUndefined()
  })

  test('twenty simultaneous registrations of one name make one account', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => register('at-once', {}, `10.4.0.${n}`)),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(statuses).toEqual([202, ...Array.from({ length: 19 }, () => 409)])
  })
})

describe('Too many registrations', () => {
  test('registrations from one address are limited with growing waits, refused ones included', async () => {
    for (let n = 0; n < 5; n += 1) await register(n % 2 ? 'admin' : `person${n}`)
    await fixture.extendBlocks()
    const limitedAnswer = await register('one-more')
    expect(limitedAnswer.statusCode).toBe(429)
    expect(Number(limitedAnswer.headers['retry-after'])).toBeGreaterThan(3000)
    expect((await register('one-more', {}, '10.2.0.2')).statusCode).toBe(202)
  })

  test('registrations are refused with 429 while too many accounts wait, from one address or in all', async () => {
    const crowd = (count: number, from: string) =>
      fixture.query(
        `insert into users (username, name, email, password_hash, role_id, is_active, waiting, registered_from)
         select $2 || n, 'x', 'x@example.uz', 'x', 2, false, true, $2 from generate_series(1, $1::int) n`,
        [count, from],
      )
    await crowd(maxWaitingAccounts.perAddress - 1, '10.2.0.1')
    expect((await register('last-one')).statusCode).toBe(202)
    expect((await register('last-two')).statusCode).toBe(429)
    expect((await register('elsewhere', {}, '10.2.0.9')).statusCode).toBe(202)
    await crowd(maxWaitingAccounts.total - maxWaitingAccounts.perAddress - 2, 'many')
    // All four requests arrive before the first one is finished.
    const holder = await fixture.product.deps.pool.connect()
    await holder.query('begin; lock table audit_log in exclusive mode')
    const requests = ['a', 'b', 'c', 'd'].map((name, n) => register(`last-${name}`, {}, `10.3.0.${n}`))
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await fixture.query(waiting)).length).toBe(4)
    await holder.query('commit')
    holder.release()
    const last = await Promise.all(requests)
    expect(last.filter(({ statusCode }) => statusCode === 202)).toHaveLength(1)
    const full = last.find(({ statusCode }) => statusCode !== 202)
    expect([full?.statusCode, full?.headers['retry-after']]).toEqual([429, '3600'])
    await put((await rowOf('elsewhere'))?.id, 'activate')
    expect((await register('in-time', {}, '10.2.0.11')).statusCode).toBe(202)
  })

  test('registrations from one /48 or /24 leave most of the waiting places to others', async () => {
    for (const [network, neighbour] of [
      ['2001:db8:7:', '2001:db8:7:ffff::1'],
      ['10.8.8.', '10.8.8.250'],
    ] as const) {
      await fixture.query(
        `insert into users (username, name, email, password_hash, role_id, is_active, waiting, registered_from)
         select $1 || n, 'x', 'x@example.uz', 'x', 2, false, true, $1 || n from generate_series(1, $2::int) n`,
        [network, maxWaitingAccounts.perNeighbourhood],
      )
      expect((await register('near', {}, neighbour)).statusCode).toBe(429)
    }
    expect((await register('far', {}, '2001:db8:8::1')).statusCode).toBe(202)
    expect((await register('far-too', {}, '10.8.9.1')).statusCode).toBe(202)
  })

  test('waiting accounts are deleted after a month, unless an admin has used them', async () => {
    for (const name of ['old-waiting', 'old-wanted', 'old-given']) await register(name)
    await put((await rowOf('old-wanted'))?.id, 'activate')
    await fixture.query(`insert into cpa_sources (name, url) values ('s', 'https://example.uz')`)
    await fixture.query(`insert into streams (name, source_id, user_id) select 's', max(s.id), u.id
      from cpa_sources s, users u where u.username = 'old-given' group by u.id`)
    await fixture.query(
      `update users set created_at = now() - interval '31 days' where username like 'old-%'`,
    )
    await register('young')
    await fixture.runJob('forgotten-accounts')
    const remainingUsers = await fixture.query(
      `select username from users where username = any($1) order by username`,
      [['old-waiting', 'old-wanted', 'old-given', 'young']],
    )
    expect(remainingUsers.map(({ username }) => username)).toEqual(['old-given', 'old-wanted', 'young'])
    await fixture.query('delete from streams')
  })
})

test('registration without the role user answers a conflict, and the simulated one stores nothing', async () => {
  await fixture.query(`update roles set code = 'person' where code = 'user'`)
  expect((await register('nobody')).json()).toMatchObject({ code: 'registration_role_missing' })
  await fixture.query(`update roles set code = 'user' where code = 'person'`)
  const usual = await createTestApp()
  try {
    const settings = (await usual.app.inject('/api/app/settings')).json<object>()
    expect(settings).toMatchObject({
      registration: 'simulated',
      password_reset: 'simulated',
      bulk_users: 'log',
    })
    for (const [path, body] of Object.entries({
      register: form('nobody'),
      'forgot-password': { email: 'admin@example.com' },
      'reset-password': { token: 'x', password: 'novyy-parol' },
    })) {
      const answer = await callApi(usual.app, null, 'POST', `/parcel/auth/${path}/`, body)
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { code: 'switched_off' }])
    }
    const { rows } = await usual.deps.pool.query(
      `select (select count(*) from users) as users, (select count(*) from reset_requests) as asked,
         (select count(*) from sign_in_failures) as tries`,
    )
    expect(rows).toEqual([{ users: 1, asked: 0, tries: 0 }])
  } finally {
    await usual.close()
  }
})
