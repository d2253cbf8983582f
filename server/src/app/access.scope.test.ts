import { calls } from '@karvon/contract/registry.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { getGuard } from '../../test/access.table.ts'
import { foreignMark, createScopeFixture } from '../../test/access.fixture.ts'
import { callApi, signIn, type Session } from '../../test/app.ts'
import { readSheet } from '../../test/exports.ts'
import { getPassword } from '../../test/people.ts'
import { createSample } from '../../test/sample.ts'
import { spellIds } from '../../test/spelled-ids.ts'

/** The scope of each call that any person may make. A call without an entry fails. */
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
  'explore.user': 'self',
  'parcels.all': 'list',
  'parcels.search': 'list',
  'parcels.problems': 'self',
  'parcels.get': 'object',
  'parcels.history': 'object',
  'parcels.notes': 'object',
  'parcels.note': 'object',
  'settlements.own': 'list',
  'settlements.own-act': 'object',
  'settlements.own-lines': 'object',
  'uploads.upload': 'self',
  'uploads.preview': 'nothing',
  'notices.get': 'self',
  'notices.link': 'self',
  'notices.choose': 'self',
  'notices.unlink': 'self',
  'money.balance': 'self',
  'money.entries': 'list',
  'money.withdrawals': 'list',
  'money.withdraw': 'self',
  'money.withdrawal.cancel': 'object',
  'money.statements': 'list',
  'money.statement.entries': 'object',
  'alert-rules.list': 'list',
  'alert-rules.create': 'self',
  'alert-rules.update': 'object',
  'alert-rules.delete': 'object',
  'alert-rules.mute': 'object',
  'inbox.list': 'list',
  'inbox.count': 'self',
  'inbox.read': 'self',
  'inbox.snooze': 'object',
  'views.list': 'list',
  'views.create': 'self',
  'views.update': 'object',
  'views.default': 'object',
  'views.send': 'object',
  'views.delete': 'object',
}

const fixture = await createScopeFixture()
const { product, admin, rustam } = fixture
let { lola } = fixture
afterAll(() => product.close())
const get = (as: Session, url: string) => callApi(product.app, as, 'GET', url)

const ofPersons = calls.filter(({ id }) => getGuard(id) === 'person')
/** Signs in another session of the same person. */
async function anotherSession(as: Session, username: string): Promise<number> {
  await signIn(product.app, username, getPassword(username))
  const { items } = (await get(as, '/parcel/auth/sessions')).json<{
    items: { id: number; current: boolean }[]
  }>()
  return items.find(({ current }) => !current)?.id ?? 0
}

type Objects = { own: number; others: number[]; body?: (as: Session) => object }
const rules = { own: fixture.alerts.own.rule, others: [fixture.alerts.others.rule] }
const objects: Readonly<Record<string, Objects>> = {
  'auth.session.end': {
    own: await anotherSession(lola, 'lola'),
    others: [await anotherSession(rustam, `${foreignMark}-rustam`)],
    body: (as) => ({ current_password: getPassword(as === rustam ? `${foreignMark}-rustam` : 'lola') }),
  },
  'leads.get-own': { own: fixture.own.lead, others: [fixture.others.lead, fixture.unseen.lead] },
  'leads.history-own': { own: fixture.own.lead, others: [fixture.others.lead, fixture.unseen.lead] },
  'parcels.get': { own: fixture.parcels.own, others: [fixture.parcels.others] },
  'parcels.history': { own: fixture.parcels.own, others: [fixture.parcels.others] },
  'parcels.notes': { own: fixture.parcels.own, others: [fixture.parcels.others] },
  'settlements.own-act': { own: fixture.acts.own, others: [fixture.acts.others] },
  'settlements.own-lines': { own: fixture.acts.own, others: [fixture.acts.others] },
  'parcels.note': {
    own: fixture.parcels.own,
    others: [fixture.parcels.others],
    body: () => ({ text: 'Hello' }),
  },
  'money.statement.entries': { own: fixture.statements.own, others: [fixture.statements.others] },
  'money.withdrawal.cancel': { own: fixture.withdrawals.own, others: [fixture.withdrawals.others] },
  'alert-rules.update': { ...rules, body: () => ({ hold_minutes: 5 }) },
  'alert-rules.mute': { ...rules, body: () => ({ muted: true }) },
  'alert-rules.delete': { own: fixture.alerts.own.deleted, others: [fixture.alerts.others.deleted] },
  'inbox.snooze': {
    own: fixture.alerts.own.incident,
    others: [fixture.alerts.others.incident],
    body: () => ({ until: 'hour' }),
  },
  'views.update': { ...fixture.views, body: (as) => ({ name: as === rustam ? foreignMark : 'Own' }) },
  'views.default': { ...fixture.views, body: () => ({ is_default: true }) },
  'views.send': { ...fixture.views, body: () => ({}) },
  'views.delete': fixture.deletedViews,
}

test('every call of a regular person has a declared scope', () => {
  expect(ofPersons.map(({ id }) => id).toSorted()).toEqual(Object.keys(scopes).toSorted())
  for (const { id, params } of ofPersons)
    expect([id, scopes[id] === 'object'], id).toEqual([id, params !== undefined])
})

describe.each(ofPersons.filter(({ id }) => scopes[id] === 'object'))('$id', ({ id, method, path }) => {
  const { own: ownId = 0, others: otherIds = [], body } = objects[id] ?? {}
  const call = (objectId: string | number, as = lola) =>
    callApi(product.app, as, method, path.replace(':id', String(objectId)), body?.(as))

  test('a call answers an own object, and 404 for the object of another person as for a missing one', async () => {
    const absent = await call(999_999_999)
    expect(absent.statusCode).toBe(404)
    for (const otherId of otherIds) {
      const answer = await call(otherId)
      expect([answer.statusCode, answer.body]).toEqual([404, absent.body])
    }
    // Last, because the call may end the object.
    expect((await call(ownId)).statusCode).toBeLessThan(300)
  })

  test('an id in any spelling does not open an object of another person', async () => {
    for (const otherId of otherIds) {
      for (const spelledId of spellIds(otherId, ownId)) {
        const answer = await call(spelledId)
        expect([spelledId, answer.body.includes(foreignMark), answer.statusCode >= 500]).toEqual([
          spelledId,
          false,
          false,
        ])
        if (answer.statusCode < 300) expect(answer.json<{ id: number }>().id, spelledId).not.toBe(otherId)
      }
    }
    // Last, because the call may end the object: until now nobody else has.
    expect((await call(otherIds[0] ?? 0, rustam)).statusCode).toBeLessThan(300)
  })
})

describe.each(ofPersons.filter(({ id }) => scopes[id] === 'list'))('$id', ({ path, query }) => {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, object> }
  const queries = [
    '',
    `search=${foreignMark}`,
    `search=%25`,
    `orderno=${foreignMark}-1`,
    `external_id=${foreignMark}-order`,
    `owner_id=${fixture.rustamId}`,
    `user_id=${fixture.rustamId}`,
    `owner_id=${fixture.lolaId}&owner_id=${fixture.rustamId}`,
    `owner_id[]=${fixture.rustamId}`,
    `person=${fixture.rustamId}`,
    `owner_id=null`,
    'owner_id=0',
    'user_id=0',
    `source_id=${fixture.hidden}`,
    `source_id=${fixture.seen}`,
    `source_id=${fixture.seen}&source_id=${fixture.hidden}`,
    `stream_id=${fixture.others.stream}`,
    `stream_id=${fixture.unseen.stream}`,
    'stream_id=0',
    'skip=0&limit=200',
    'format=csv',
    `format=csv&search=${foreignMark}`,
    `format=csv&owner_id=${fixture.rustamId}`,
    'no_progress_days=1',
    'unsettled_days=0',
    'pay_type=CASH',
    `courier_code=${foreignMark}`,
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

  test.each([...new Set(queries)])('a list shows no rows of others with the query %j', async (query) => {
    const answer = await get(lola, `${path}?${query}`)
    expect([200, 422]).toContain(answer.statusCode)
    // A 422 repeats the query.
    if (answer.statusCode === 200) expect(answer.body).not.toContain(foreignMark)
  })

  test('a list and its workbook have only the rows of the person, for each of two people', async () => {
    const workbook = await get(lola, `${path}?format=xlsx`)
    expect(JSON.stringify(await readSheet(workbook.rawPayload))).not.toContain(foreignMark)
    const { meta } = (await get(lola, path)).json<{ meta: { total: number; filtered_total: number } }>()
    expect([meta.total, meta.filtered_total]).toEqual([1, 1])
  })
})

describe('Own data', () => {
  test('a person cannot list or end the sessions of others, and changes only the own profile', async () => {
    const sessionItems = (await get(lola, '/parcel/auth/sessions')).json<{ items: unknown[] }>().items
    expect(sessionItems).toHaveLength(1)
    const again = await signIn(product.app, 'lola', getPassword('lola'))
    const proof = { current_password: getPassword('lola') }
    const answer = await callApi(product.app, again, 'DELETE', '/parcel/auth/sessions', proof)
    expect(answer.json()).toEqual({ ended: 2 })
    expect((await get(lola, '/parcel/auth/me')).statusCode).toBe(401)
    expect((await get(rustam, '/parcel/auth/me')).statusCode).toBe(200)
    lola = await signIn(product.app, 'lola', getPassword('lola'))
    expect(
      (
        await callApi(product.app, lola, 'PUT', '/parcel/auth/profile', {
          id: fixture.rustamId,
          name: 'Lola!',
        })
      ).json(),
    ).toMatchObject({ id: fixture.lolaId, name: 'Lola!' })
    expect((await get(rustam, '/parcel/auth/me')).json()).toMatchObject({ name: `${foreignMark}-rustam` })
    expect((await get(lola, '/api/parcel/parcels/problems')).json()).toMatchObject({ any: 0 })
  })

  test('no note of a person is stored on a parcel of another person', async () => {
    const url = `/api/parcel/parcels/${fixture.parcels.others}`
    const { notes } = (await get(admin, url)).json<{ notes: { user: { id: number } }[] }>()
    expect(notes.map(({ user }) => user.id)).toEqual([fixture.rustamId])
  })
})

test("a network's balance is shown only to the owner of the account there", async () => {
  const balances: [Session, number][] = [
    [lola, 11],
    [rustam, 700],
  ]
  for (const [as, balance] of balances) {
    const user_id = as === lola ? fixture.lolaId : fixture.rustamId
    const ownValues = { source_id: fixture.seen, user_id }
    const { id } = await createSample(product.app, admin, sourceCredentials, ownValues)
    await product.deps.pool.query(
      'insert into sync_states (source_credential_id, balance, hold, money_at) values ($1, $2, $2, now())',
      [id, balance],
    )
  }
  for (const [as, balance] of balances) {
    const { items } = (await get(as, '/api/user/report/fin')).json<{ items: object[] }>()
    expect(items).toMatchObject([{ network_balance: balance, network_hold: balance }])
  }
})

test('a person no longer sees leads once the role loses their source or their stream gets another owner', async () => {
  const leads = async (as: Session) =>
    (await get(as, '/api/user/leads/')).json<{ meta: { total: number } }>().meta.total
  const reports = async (as: Session) =>
    (await get(as, '/api/user/report/stats')).json<{ meta: { totals: { leads: number } } }>().meta.totals
      .leads
  const visibleCounts = async () => [
    await leads(lola),
    await reports(lola),
    await leads(rustam),
    await reports(rustam),
  ]
  const role = (source_ids: number[]) =>
    callApi(product.app, admin, 'PUT', `/api/admin/roles/${fixture.role}`, { source_ids })
  expect(await visibleCounts()).toEqual([1, 1, 1, 1])
  await role([])
  expect(await visibleCounts()).toEqual([0, 0, 0, 0])
  expect((await get(lola, `/api/user/leads/${fixture.own.lead}/`)).statusCode).toBe(404)
  expect((await get(lola, '/api/user/report/sources')).json()).toMatchObject({ items: [] })
  await role([fixture.seen])
  const stream = `/api/admin/streams/${fixture.own.stream}`
  await callApi(product.app, admin, 'PUT', stream, { user_id: fixture.rustamId })
  expect(await visibleCounts()).toEqual([0, 0, 2, 2])
  expect((await get(lola, `/api/user/leads/${fixture.own.lead}/`)).statusCode).toBe(404)
})
