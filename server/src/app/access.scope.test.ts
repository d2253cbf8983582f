import { calls } from '@karvon/contract/registry.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { whoMay } from '../../test/access.table.ts'
import { foreign, openScopeDesk } from '../../test/access.desk.ts'
import { ask, signIn, type Signed } from '../../test/app.ts'
import { sheetOf } from '../../test/exports.ts'
import { passwordOf } from '../../test/people.ts'
import { createSample } from '../../test/sample.ts'

/** How a call that any person may make is kept to what is theirs. A call without a row fails. */
const scopes: Readonly<Record<string, 'object' | 'list' | 'self' | 'nothing'>> = {
  'auth.me': 'self',
  'auth.logout': 'self',
  'auth.profile': 'self',
  'auth.profile.update': 'self',
  'auth.sessions': 'self',
  'auth.sessions.end': 'self',
  'auth.session.end': 'object',
  'auth.second-factor.begin': 'self',
  'auth.second-factor.confirm': 'self',
  'auth.second-factor.off': 'self',
  'auth.second-factor.recovery-codes': 'self',
  'leads.own': 'list',
  'leads.get-own': 'object',
  'leads.history-own': 'object',
  'imports.orders-template': 'nothing',
  'report.user.sources': 'list',
  'report.user.fin': 'list',
  'report.user.stats': 'list',
  'report.user.daily': 'list',
  'report.user.offers': 'list',
  'report.user.streams': 'list',
  'parcels.all': 'list',
  'parcels.search': 'list',
  'parcels.problems': 'self',
  'parcels.get': 'object',
  'parcels.history': 'object',
  'parcels.notes': 'object',
  'parcels.note': 'object',
  'uploads.upload': 'self',
  'uploads.preview': 'nothing',
  'notices.get': 'self',
  'notices.link': 'self',
  'notices.choose': 'self',
  'notices.unlink': 'self',
}

const desk = await openScopeDesk()
const { product, admin, rustam } = desk
let { lola } = desk
afterAll(() => product.close())
const get = (as: Signed, url: string) => ask(product.app, as, 'GET', url)

const ofPersons = calls.filter(({ id }) => whoMay(id) === 'person')
/** Another session of somebody than the one that asks. */
async function anotherSession(as: Signed, username: string): Promise<number> {
  await signIn(product.app, username, passwordOf(username))
  const { items } = (await get(as, '/parcel/auth/sessions')).json<{
    items: { id: number; current: boolean }[]
  }>()
  return items.find(({ current }) => !current)?.id ?? 0
}

type Objects = { own: number; others: number[]; body?: (as: Signed) => object }
const objects: Readonly<Record<string, Objects>> = {
  'auth.session.end': {
    own: await anotherSession(lola, 'lola'),
    others: [await anotherSession(rustam, `${foreign}-rustam`)],
    body: (as) => ({ current_password: passwordOf(as === rustam ? `${foreign}-rustam` : 'lola') }),
  },
  'leads.get-own': { own: desk.own.lead, others: [desk.others.lead, desk.unseen.lead] },
  'leads.history-own': { own: desk.own.lead, others: [desk.others.lead, desk.unseen.lead] },
  'parcels.get': { own: desk.parcels.own, others: [desk.parcels.others] },
  'parcels.history': { own: desk.parcels.own, others: [desk.parcels.others] },
  'parcels.notes': { own: desk.parcels.own, others: [desk.parcels.others] },
  'parcels.note': { own: desk.parcels.own, others: [desk.parcels.others], body: () => ({ text: 'Hello' }) },
}

test('every call that a person may make says what it is kept to', () => {
  expect(ofPersons.map(({ id }) => id).toSorted()).toEqual(Object.keys(scopes).toSorted())
  for (const { id, params } of ofPersons)
    expect([id, scopes[id] === 'object'], id).toEqual([id, params !== undefined])
})

describe.each(ofPersons.filter(({ id }) => scopes[id] === 'object'))('$id', ({ id, method, path }) => {
  const { own = 0, others = [], body } = objects[id] ?? {}
  const call = (given: string | number, as = lola) =>
    ask(product.app, as, method, path.replace(':id', String(given)), body?.(as))

  test('answers an own one, and another’s exactly as one that is not there', async () => {
    expect((await call(own)).statusCode).toBeLessThan(300)
    expect((await call(others[0] ?? 0, rustam)).statusCode).toBeLessThan(300)
    const absent = await call(999_999_999)
    expect(absent.statusCode).toBe(404)
    for (const other of others) {
      const answer = await call(other)
      expect([answer.statusCode, answer.body]).toEqual([404, absent.body])
    }
  })

  test('knows another’s by no other spelling of its id', async () => {
    for (const other of others) {
      for (const given of spelled(other, own)) {
        const answer = await call(given)
        expect([given, answer.body.includes(foreign), answer.statusCode >= 500]).toEqual([
          given,
          false,
          false,
        ])
        if (answer.statusCode < 300) expect(answer.json<{ id: number }>().id, given).not.toBe(other)
      }
    }
  })
})

const spelled = (id: number, own: number): string[] => [
  '-1',
  '0',
  '1e3',
  '9223372036854775807',
  '9223372036854775808',
  'null',
  'NaN',
  'true',
  '%00',
  "1'--",
  `0${id}`,
  `+${id}`,
  `${id}.0`,
  `${id}e0`,
  `0x${id.toString(16)}`,
  `%20${id}`,
  `${id}%20`,
  `[${id}]`,
  `${own},${id}`,
  `${id}?id=${own}`,
  `${own}?id=${id}`,
  `${own}%20or%20id=${id}`,
  `{"id":${id}}`,
  `${id}%00`,
]

describe.each(ofPersons.filter(({ id }) => scopes[id] === 'list'))('$id', ({ path, query }) => {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, object> }
  const wanted = [
    '',
    `search=${foreign}`,
    `search=%25`,
    `orderno=${foreign}-1`,
    `external_id=${foreign}-order`,
    `owner_id=${desk.rustamId}`,
    `user_id=${desk.rustamId}`,
    `owner_id=${desk.lolaId}&owner_id=${desk.rustamId}`,
    `owner_id[]=${desk.rustamId}`,
    `person=${desk.rustamId}`,
    `owner_id=null`,
    'owner_id=0',
    'user_id=0',
    `source_id=${desk.hidden}`,
    `source_id=${desk.seen}`,
    `source_id=${desk.seen}&source_id=${desk.hidden}`,
    `stream_id=${desk.others.stream}`,
    `stream_id=${desk.unseen.stream}`,
    'stream_id=0',
    'skip=0&limit=200',
    'format=csv',
    `format=csv&search=${foreign}`,
    `format=csv&owner_id=${desk.rustamId}`,
    'still_days=1',
    'admin=true',
    'scope=admin',
    'role=admin',
    'is_active=true',
    '__proto__=1',
    'constructor=1',
    ...Object.keys(properties).flatMap((key) => [`sort=${key}`, `sort=-${key}`]),
    ...['id', 'name', 'orderno', 'date', 'external_id', 'payout', 'owner_id', 'owner.name'].map(
      (key) => `sort=${key}`,
    ),
  ]

  test.each([...new Set(wanted)])('shows nothing of others with %j', async (asked) => {
    const answer = await get(lola, `${path}?${asked}`)
    expect([200, 422]).toContain(answer.statusCode)
    // A fault repeats what was asked.
    if (answer.statusCode === 200) expect(answer.body).not.toContain(foreign)
  })

  test('holds own rows alone, in a workbook too, while the others have theirs', async () => {
    const workbook = await get(lola, `${path}?format=xlsx`)
    expect(JSON.stringify(await sheetOf(workbook.rawPayload))).not.toContain(foreign)
    const { meta } = (await get(lola, path)).json<{ meta: { total: number; filtered_total: number } }>()
    expect([meta.total, meta.filtered_total]).toEqual([1, 1])
  })
})

describe('what is one’s own alone', () => {
  test('others’ sessions are neither listed nor ended', async () => {
    const listed = (await get(lola, '/parcel/auth/sessions')).json<{ items: unknown[] }>().items
    expect(listed).toHaveLength(1)
    const again = await signIn(product.app, 'lola', passwordOf('lola'))
    const proof = { current_password: passwordOf('lola') }
    const ended = await ask(product.app, again, 'DELETE', '/parcel/auth/sessions', proof)
    expect(ended.json()).toEqual({ ended: 2 })
    expect((await get(lola, '/parcel/auth/me')).statusCode).toBe(401)
    expect((await get(rustam, '/parcel/auth/me')).statusCode).toBe(200)
    lola = await signIn(product.app, 'lola', passwordOf('lola'))
    expect(
      (
        await ask(product.app, lola, 'PUT', '/parcel/auth/profile', { id: desk.rustamId, name: 'Lola!' })
      ).json(),
    ).toMatchObject({ id: desk.lolaId, name: 'Lola!' })
    expect((await get(rustam, '/parcel/auth/me')).json()).toMatchObject({ name: `${foreign}-rustam` })
    expect((await get(lola, '/api/parcel/parcels/problems')).json()).toMatchObject({ any: 0 })
  })

  test('a note reaches no parcel of another', async () => {
    const url = `/api/parcel/parcels/${desk.parcels.others}`
    const { notes } = (await get(admin, url)).json<{ notes: { user: { id: number } }[] }>()
    expect(notes.map(({ user }) => user.id)).toEqual([desk.rustamId])
  })
})

test('what a network owes is told of one’s own accounts there alone', async () => {
  const owed: [Signed, number][] = [
    [lola, 11],
    [rustam, 700],
  ]
  for (const [as, balance] of owed) {
    const user_id = as === lola ? desk.lolaId : desk.rustamId
    const own = { source_id: desk.seen, user_id }
    const { id } = await createSample(product.app, admin, sourceCredentials, own)
    await product.deps.pool.query(
      'insert into sync_states (source_credential_id, balance, hold, money_at) values ($1, $2, $2, now())',
      [id, balance],
    )
  }
  for (const [as, balance] of owed) {
    const { items } = (await get(as, '/api/user/report/fin')).json<{ items: object[] }>()
    expect(items).toMatchObject([{ network_balance: balance, network_hold: balance }])
  }
})

test('a role that loses a source, and a stream that goes to another, are out of sight at once', async () => {
  const leads = async (as: Signed) =>
    (await get(as, '/api/user/leads/')).json<{ meta: { total: number } }>().meta.total
  const reports = async (as: Signed) =>
    (await get(as, '/api/user/report/stats')).json<{ meta: { totals: { leads: number } } }>().meta.totals
      .leads
  const seen = async () => [
    await leads(lola),
    await reports(lola),
    await leads(rustam),
    await reports(rustam),
  ]
  const role = (source_ids: number[]) =>
    ask(product.app, admin, 'PUT', `/api/admin/roles/${desk.role}`, { source_ids })
  expect(await seen()).toEqual([1, 1, 1, 1])
  await role([])
  expect(await seen()).toEqual([0, 0, 0, 0])
  expect((await get(lola, `/api/user/leads/${desk.own.lead}/`)).statusCode).toBe(404)
  expect((await get(lola, '/api/user/report/sources')).json()).toMatchObject({ items: [] })
  await role([desk.seen])
  const stream = `/api/admin/streams/${desk.own.stream}`
  await ask(product.app, admin, 'PUT', stream, { user_id: desk.rustamId })
  expect(await seen()).toEqual([0, 0, 2, 2])
  expect((await get(lola, `/api/user/leads/${desk.own.lead}/`)).statusCode).toBe(404)
})
