import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import type { ImportAnswer } from '@karvon/contract/lib/import.ts'
import { offers } from '@karvon/contract/offers/offers.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { users } from '@karvon/contract/users/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildAccountsEnv } from '../../test/accounts.ts'
import {
  callApi,
  createTestApp,
  firstAdmin,
  signInAdmin,
  type Product,
  type Session,
} from '../../test/app.ts'
import { sendFile } from '../../test/files.ts'
import { createSample, type Row } from '../../test/sample.ts'

let product: Product
let admin: Session
beforeAll(async () => {
  product = await createTestApp(buildAccountsEnv('smtp://127.0.0.1:9'))
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

/** A text as it is copied from a messenger or a page. */
const paste = (text: string) => `\u202A${text}\u202C\u200B\u00A0\n`

const call = (method: 'POST' | 'PUT' | 'GET', url: string, body?: object) =>
  callApi(product.app, admin, method, url, body)
const list = async (url: string) => (await call('GET', url)).json<{ items: Row[] }>().items

describe('Accounts', () => {
  test('a pasted username signs in', async () => {
    const { username, password } = firstAdmin
    for (const typed of [paste(username), `\uFEFF${username.toUpperCase()}\t`]) {
      const answer = await callApi(product.app, null, 'POST', '/parcel/auth/login', {
        username: typed,
        password,
      })
      expect(answer.statusCode, answer.body).toBe(200)
    }
  })

  test('a pasted username and email are stored without what was copied with them, and the username is taken', async () => {
    const register = (username: string) =>
      callApi(product.app, null, 'POST', '/parcel/auth/register', {
        username,
        email: paste('pasted@example.uz'),
        password: 'uzun parol 41',
      })
    expect((await register(paste('pasted'))).statusCode).toBe(202)
    expect(await list('/api/admin/users/?search=pasted')).toMatchObject([
      { username: 'pasted', name: 'pasted', email: 'pasted@example.uz' },
    ])
    expect((await register('Pasted\u200B')).json()).toMatchObject({ code: 'already_exists' })
  })

  test('a form stores a name, an email, a URL and an external id without what was copied with them', async () => {
    const person = await createSample(product.app, admin, users, {
      username: paste('vali'),
      name: paste('Vali Aliyev'),
      email: paste('vali@example.uz'),
    })
    expect(person).toMatchObject({ username: 'vali', name: 'Vali Aliyev', email: 'vali@example.uz' })
    const source = await createSample(product.app, admin, cpaSources, {
      url: paste('https://example.com/api'),
    })
    expect(source).toMatchObject({ url: 'https://example.com/api' })
    const offer = await createSample(product.app, admin, offers, { extra_id: paste(' 17\u00A0a') })
    expect(offer).toMatchObject({ extra_id: '17\u00A0a' })
    const profile = await call('PUT', '/parcel/auth/profile', { name: paste('Admin') })
    expect(profile.json()).toMatchObject({ name: 'Admin' })
    const name = '\u202AQuiet\u202C'
    const rule = await call('POST', '/api/alert-rules/', { kind: 'silence', threshold: 60, name })
    expect(rule.json()).toMatchObject({ name: 'Quiet' })
  })

  test('an API key and a token are stored without what was copied with them, and a password as it is', async () => {
    const typed = { pass: ' a b ', api_key: paste('key-1'), token: '\ttoken-1 ' }
    const { id } = await createSample(product.app, admin, sourceCredentials, typed)
    const read = async () => {
      const row = await product.deps.db
        .selectFrom('source_credentials')
        .select(['pass', 'api_key', 'token'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return Object.entries(row).map(([column, text]) =>
        product.deps.encryption.decrypt(text ?? '', { table: 'source_credentials', row: id, column }),
      )
    }
    expect(await read()).toEqual([' a b ', 'key-1', 'token-1'])
    const url = `/api/admin/source-credentials/${id}/`
    expect((await call('PUT', url, { api_key: ' \u200B', token: 't…\n' })).statusCode).toBe(200)
    expect(await read()).toEqual([' a b ', 'key-1', 'token-1'])
  })
})

describe('Files and searches', () => {
  const send = async (...lines: string[]) =>
    (
      await sendFile(product.app, admin, '/api/admin/parcels/import/', {
        name: 'parcels.csv',
        content: lines.join('\n'),
      })
    ).json<ImportAnswer>()

  const row = (orderno: string) =>
    `${orderno}\t\u200E21.11.2026\u200E\tAliyev\u00A0Vali\t+998 90 123-45-67\t${'Андрей'.normalize('NFD')}\t\u202A1 200\u2009000,50\u202C`
  const head = 'orderno\tdate\tperson\tphone\ttown\tcod_amount'
  beforeAll(() => send(head, row('Kp-1001'), row('KP-1002')))

  const find = async (query: Record<string, string>) =>
    (await list(`/api/parcel/parcels/all?${new URLSearchParams(query).toString()}`)).map(
      ({ orderno }) => orderno,
    )

  test('a cell of a file is read without what was copied with it', async () => {
    expect(await send(head, row('Kp-1001\u200B'))).toMatchObject({ imported: 0, unchanged: 1, errors: [] })
    expect(await list('/api/parcel/parcels/all?orderno=kp-1001')).toMatchObject([
      {
        orderno: 'Kp-1001',
        date: '2026-11-21',
        cod_amount: 1_200_000.5,
        receiver: { person: 'Aliyev Vali', town: 'Андрей' },
      },
    ])
  })

  test('a status and a pay type with other spaces are recognised', async () => {
    const answer = await send(
      'orderno,date,status,pay_type',
      `st-1,2026-11-21,Получен\u00A0складом,naqd\u00A0pul`,
      `st-2,2026-11-21,${'Новый'.normalize('NFD')},`,
    )
    expect(answer).toMatchObject({ imported: 2, errors: [] })
    expect(await list('/api/parcel/parcels/all?orderno=st-1')).toMatchObject([
      { pay_type: 'CASH', status: { title: 'Получен складом' } },
    ])
  })

  test('a number of which a spreadsheet left only the first digits is an error of its row', async () => {
    const answer = await send(
      'orderno;date;phone',
      '1,23457E+11;2026-11-21;',
      '1,23457E+11;2026-11-22;',
      'sh-1;2026-11-21;9.98901E+11',
      'sh-2;2026-11-21;998901234567',
      '1E-11;2026-11-21;',
    )
    expect(answer).toMatchObject({
      imported: 2,
      errors: [
        { row: 1, field: 'orderno', code: 'number_shortened', params: { number: '1,23457E+11' } },
        { row: 2, field: 'orderno', code: 'number_shortened' },
        { row: 3, field: 'phone', code: 'number_shortened' },
      ],
    })
  })

  test.each([
    ['orderno', paste('kp-1001'), ['Kp-1001']],
    ['search', paste('kp-1001'), ['Kp-1001']],
    ['search', 'Aliyev Vali', ['KP-1002', 'Kp-1001']],
    ['search', 'Aliyev\u00A0Vali', ['KP-1002', 'Kp-1001']],
    ['search', 'Aliyev \u00A0 Vali', ['KP-1002', 'Kp-1001']],
    ['search', paste('Андрей'), ['KP-1002', 'Kp-1001']],
  ])('the parameter %s finds %j', async (name, text, found) => {
    expect(new Set(await find({ [name]: text }))).toEqual(new Set(found))
  })

  test.each([
    [paste('Kp-1001'), 'Kp-1001'],
    ['kp-1002', 'KP-1002'],
    ['Kp-1002', 'KP-1002'],
  ])('the tracking page finds %j', async (typed, orderno) => {
    const answer = await product.app.inject(`/api/track/${encodeURIComponent(typed)}?phone=4567`)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { orderno }])
  })
})
