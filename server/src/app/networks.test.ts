import type { TryAnswer } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import { bookStreams, MovableBook } from '@karvon/stand-ins/network.book.ts'
import type { NetworkShape } from '@karvon/stand-ins/network.shapes.ts'
import { startNetwork, type NetworkStandIn } from '@karvon/stand-ins/network.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../test/app.ts'
import { createUser } from '../../test/people.ts'
import { ensureConnectors } from '../connectors/connectors.start.ts'
import { syncJobs } from '../kit/syncs/syncs.engine.ts'
import { syncKinds } from './syncs.ts'

let product: Product
let admin: Signed
let aziz: Signed
const stands: NetworkStandIn[] = []
const allow: string[] = []

beforeAll(async () => {
  // Stand-ins are on loopback, and so known beforehand.
  for (const shape of ['100k', 'sotuvchi', 'odd', '100k'] as const) stands.push(await standIn(shape))
  allow.push(...stands.map(({ url }) => new URL(url).host))
  product = await createTestApp({ KARVON_OUTBOUND_ALLOW: allow.join(',') })
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  aziz = await createUser(product.app, admin, 'aziz')
  await ensureConnectors(product.deps.db)
})

afterAll(async () => {
  await product.close()
  await Promise.all(stands.map((stand) => stand.close()))
})

/** Numbers from 0 to 1 that are the same in every run. */
function chanceFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const long = Date.parse('2026-10-01T08:00:00+05:00')

async function standIn(shape: NetworkShape): Promise<NetworkStandIn> {
  const chance = chanceFrom(shape.length)
  const book = new MovableBook(bookStreams(50, ['Reels', 'TikTok', 'Telegram']), chance)
  book.make(120, long)
  book.move(200, long + 3_600_000)
  return startNetwork({ shape, book, login: 'aziz@desk.uz', pass: 'sirli so‘z', pageSize: 25 })
}

interface Desk {
  source: number
  website: number
  credential: number
}

async function create(path: string, body: object): Promise<number> {
  const answer = await ask(product.app, admin, 'POST', path, body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json<{ id: number }>().id
}

const me = async (as: Signed) =>
  (await ask(product.app, as, 'GET', '/parcel/auth/me')).json<{ id: number }>().id

async function deskFor(name: string, connector: string, mapping: object, pass = 'sirli so‘z'): Promise<Desk> {
  const source = await create('/api/admin/cpa-sources/', { name, url: 'https://network.example' })
  const website = await create('/api/admin/cpa-websites/', {
    name,
    cpa_source_id: source,
    connector,
    mapping,
  })
  const credential = await create('/api/admin/source-credentials/', {
    name: `${name} of Aziz`,
    login: 'aziz@desk.uz',
    pass,
    source_id: source,
    user_id: await me(aziz),
  })
  return { source, website, credential }
}

const quick = (stand: NetworkStandIn | undefined) => ({ base_url: stand?.url, manners: { page_delay_ms: 0 } })

/** Asks for a run, and lets one process look until nothing is due. */
async function runNow({ credential }: Desk): Promise<SyncRun> {
  const answer = await ask(product.app, admin, 'POST', `/api/admin/source-credentials/${credential}/run/`)
  expect([answer.statusCode, answer.json()]).toEqual([202, { id: credential, running: false }])
  const [job] = syncJobs(product.deps, syncKinds(product.deps))
  while ((await job?.run(new AbortController().signal))?.more) continue
  const runs = await ask(
    product.app,
    admin,
    'GET',
    `/api/admin/sync-runs/?source_credential_id=${credential}&per_page=1`,
  )
  const [run] = runs.json<{ items: SyncRun[] }>().items
  if (run === undefined) throw new Error('No run')
  return run
}

async function leadsOf({ source }: Desk): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', external_id, word, payout, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) as line
    from leads where source_id = ${source} order by external_id`.execute(product.deps.db)
  return rows.map(({ line }) => line)
}

const bookOf = (stand: NetworkStandIn | undefined, prefix = '', upper = false) =>
  (stand?.book.orders() ?? [])
    .map(({ id, status, payout, created }) => {
      const time = new Date(created).toISOString().slice(0, 19).replace('T', ' ')
      return `${prefix}${id} ${upper ? status.toUpperCase() : status} ${(payout / 100).toFixed(2)} ${time}`
    })
    .toSorted()

const movable = (stand: NetworkStandIn | undefined) => stand?.book as MovableBook

describe('100k.uz', () => {
  let desk: Desk
  const stand = () => stands[0]

  test('is read whole at first: offers, streams of the account’s person, orders and money', async () => {
    desk = await deskFor('100k', '100k', quick(stand()))
    const run = await runNow(desk)
    expect(run).toMatchObject({
      status: 'done',
      error: null,
      counts: { created: 120, streams: 3, offers: 6 },
    })
    expect(await leadsOf(desk)).toEqual(bookOf(stand()))
    const streams = await ask(
      product.app,
      admin,
      'GET',
      `/api/admin/streams/?source_id=${desk.source}&sort=name`,
    )
    expect(streams.json()).toMatchObject({
      items: [
        { name: 'Reels', extra_id: '50', user: { name: 'aziz' }, offer: { name: 'Smart soat' } },
        { name: 'Telegram' },
        { name: 'TikTok' },
      ],
    })
    const { balance = 0, hold = 0 } = stand()?.book.balance() ?? {}
    const fin = await ask(product.app, admin, 'GET', `/api/admin/report/fin?source_id=${desk.source}`)
    expect(fin.json()).toMatchObject({
      // The network holds what is on its way too: that is the difference to what is on hold with us.
      items: [
        {
          network_balance: balance / 100,
          balance_difference: 0,
          network_hold: hold / 100,
          profit: balance / 100,
        },
      ],
    })
  })

  test('keeps its token sealed, and signs in again once the network forgets it', async () => {
    const tokens = stand()?.tokens.length ?? 0
    await runNow(desk)
    expect(stand()?.tokens).toHaveLength(tokens)
    stand()?.forgetToken()
    expect(await runNow(desk)).toMatchObject({ status: 'done' })
    expect(stand()?.tokens).toHaveLength(tokens + 1)
    const { rows } = await product.deps.pool.query<{ token: string }>('select token from source_credentials')
    for (const token of stand()?.tokens ?? []) expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('is then read back to the oldest order that can still move', async () => {
    movable(stand()).make(5, Date.parse('2026-11-20T10:00:00+05:00'))
    for (let i = 0; i < 40; i++) movable(stand()).move(40, Date.parse('2026-11-20T12:00:00+05:00'))
    expect(await runNow(desk)).toMatchObject({ status: 'done', counts: { created: 5 } })
    expect(await leadsOf(desk)).toEqual(bookOf(stand()))
    movable(stand()).make(30, Date.parse('2026-11-21T10:00:00+05:00'))
    const before = stand()?.hits.length ?? 0
    expect(await runNow(desk)).toMatchObject({ counts: { created: 30 } })
    const pages =
      stand()
        ?.hits.slice(before)
        .filter(({ path }) => path.endsWith('/orders')) ?? []
    expect(pages.length).toBeLessThan(7)
    expect(await leadsOf(desk)).toEqual(bookOf(stand()))
  })

  test('with a wrong password says so, and asks for nothing else', async () => {
    const wrong = await deskFor('Wrong', '100k', quick(stand()), 'not it')
    const before = stand()?.hits.length ?? 0
    expect(await runNow(wrong)).toMatchObject({
      status: 'failed',
      error: 'The network refused the sign-in (422).',
    })
    expect(stand()?.hits.slice(before)).toHaveLength(1)
  })
})

describe('sotuvchi.com', () => {
  test('has no streams and no time of change: its orders are the account’s, and move when they are seen to', async () => {
    const stand = stands[1]
    const desk = await deskFor('sotuvchi', 'sotuvchi', quick(stand))
    expect(await runNow(desk)).toMatchObject({ status: 'done', counts: { created: 120 } })
    expect(await leadsOf(desk)).toEqual(bookOf(stand))
    movable(stand).move(60, Date.now())
    await runNow(desk)
    expect(await leadsOf(desk)).toEqual(bookOf(stand))
    const stats = await ask(product.app, admin, 'GET', `/api/admin/report/streams?source_id=${desk.source}`)
    expect(stats.json()).toMatchObject({ items: [{ name: 'sotuvchi of Aziz', leads: 120 }] })
    expect((await runNow(desk)).counts).toMatchObject({ unchanged: 120 })
  })
})

describe('a network that nobody knew', () => {
  const description = {
    sign_in: {
      url: '/session',
      form: 'form',
      body: { who: '{login}', word: '{pass}' },
      token: 'result.session.key',
    },
    orders: {
      url: '/deals',
      query: { key: '{token}' },
      items: 'result.deals',
      paging: { by: 'offset', param: 'from', total: 'result.count' },
      fields: {
        external_id: 'ref',
        status: 'state.word',
        payout: 'reward',
        created_at: 'made',
        updated_at: 'touched',
        stream: 'flow.name',
        stream_extra_id: 'flow.id',
      },
    },
    money: { divisor: 100, currency: 'UZS' },
    time: { unit: 'seconds' },
  }

  test('is added as data, tried before anything is stored, and read like any other', async () => {
    const stand = stands[2]
    await create('/api/admin/connectors/', { code: 'odd', name: 'Odd one', description })
    const desk = await deskFor('Odd', 'odd', quick(stand))
    const tried = await ask(product.app, admin, 'POST', `/api/admin/cpa-websites/${desk.website}/try/`, {
      source_credential_id: desk.credential,
    })
    expect(tried.json<TryAnswer>()).toMatchObject({
      sign_in: { ok: true },
      offers: null,
      orders: { ok: true, detail: '25 rows on the first page, 25 of them read.', problems: [] },
    })
    expect(tried.json<TryAnswer>().orders?.rows).toHaveLength(5)
    expect(await leadsOf(desk)).toEqual([])
    expect(await runNow(desk)).toMatchObject({ status: 'done', counts: { created: 120 } })
    expect(await leadsOf(desk)).toEqual(bookOf(stand, 'D-', true))
  })

  test('a try says what is wrong, part by part', async () => {
    const desk = await deskFor('Odd again', 'odd', quick(stands[2]))
    const attempt = async (body: object) =>
      (
        await ask(product.app, admin, 'POST', `/api/admin/cpa-websites/${desk.website}/try/`, body)
      ).json<TryAnswer>()
    expect(await attempt({ login: 'nobody', pass: 'x' })).toMatchObject({
      sign_in: { ok: false, detail: 'The network refused the sign-in (422).' },
      orders: null,
    })
    const account = { source_credential_id: desk.credential }
    expect(
      await attempt({ ...account, mapping: { ...quick(stands[2]), orders: { items: 'deals' } } }),
    ).toMatchObject({
      orders: { ok: false, detail: 'The answer has no list at "deals".' },
    })
    const other = await deskFor('Other', 'odd', quick(stands[2]))
    const foreign = await ask(
      product.app,
      admin,
      'POST',
      `/api/admin/cpa-websites/${other.website}/try/`,
      account,
    )
    expect(foreign.statusCode).toBe(422)
    const inside = await attempt({ ...account, mapping: { base_url: 'http://127.0.0.1:1/v9' } })
    expect(inside.sign_in?.ok).toBe(false)
  })
})

test('on its worst day nothing is lost, nothing comes twice, and the manners hold', async () => {
  const stand = stands[3]
  if (stand === undefined) throw new Error('No stand-in')
  const chance = chanceFrom(99)
  const desk = await deskFor('Worst', '100k', quick(stand))
  stand.faults = {
    slow: 20,
    asked_to_wait: 0.05,
    retryAfter: 7,
    broken: 0.05,
    garbage: 0.04,
    half: 0.05,
    drop: 0.05,
    repeat: 0.1,
    forget: 0.05,
    chance,
  }
  const book = movable(stand)
  for (let round = 0; round < 25; round++) {
    book.make(8, Date.now() - 3_600_000 + round * 60_000)
    book.move(60, Date.now())
    await runNow(desk)
  }
  stand.faults = {}
  for (let i = 0; i < 3; i++) await runNow(desk)
  expect(await leadsOf(desk)).toEqual(bookOf(stand))
  // A 429 ends a run: nothing is asked after it until the run that a person asked for.
  const runs = await ask(
    product.app,
    admin,
    'GET',
    `/api/admin/sync-runs/?source_credential_id=${desk.credential}&per_page=200`,
  )
  const waits = stand.hits.filter(({ status }) => status === 429).length
  expect(waits).toBeGreaterThan(0)
  const asked = runs
    .json<{ items: SyncRun[] }>()
    .items.filter(({ error }) => error?.includes('asks to wait 7 s'))
  expect(asked).toHaveLength(waits)
})
