import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import { createStreams, ScriptedStore } from '@karvon/testkit/fakes/network.store.ts'
import type { NetworkDialect } from '@karvon/testkit/fakes/network.dialects.ts'
import { startNetwork, type FakeNetwork } from '@karvon/testkit/fakes/network.ts'
import { sql } from 'kysely'
import { syncKinds } from '../src/app/syncs.ts'
import { ensureConnectors } from '../src/domains/connectors/connectors.start.ts'
import { syncJobs } from '../src/domains/syncs/syncs.engine.ts'
import type { SyncKind } from '../src/domains/syncs/syncs.kind.ts'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from './app.ts'
import { day, hour, runStart } from './moment.ts'
import { createUser } from './people.ts'

/** A network to practise on, whose book moves when it is told to. */
export interface PracticeNetwork extends FakeNetwork {
  store: ScriptedStore
}

/** Numbers from 0 to 1 that are the same in every run. */
export function chanceFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const begin = runStart - 50 * day
const login = 'aziz@desk.uz'
const pass = 'sirli so‘z'

/** A store without orders. */
export const createEmptyStore = (seed: number): ScriptedStore =>
  new ScriptedStore(createStreams(50, ['Reels', 'TikTok', 'Telegram']), chanceFrom(seed))

async function startPracticeNetwork(dialect: NetworkDialect): Promise<PracticeNetwork> {
  const store = createEmptyStore(dialect.length)
  store.addOrders(120, begin)
  store.advanceOrders(200, begin + hour)
  return Object.assign(await startNetwork({ dialect, store, login, pass, pageSize: 25 }), { store })
}

/** Where a network is read: its source, its CPA credential and Aziz's credential. */
export interface Reading {
  source: number
  website: number
  credential: number
}

/** A product with an admin, Aziz, and networks of these shapes that it may reach. Call `close` after the tests. */
export async function openNetworks<const Shapes extends readonly NetworkDialect[]>(shapes: Shapes) {
  const stands = await Promise.all(shapes.map(startPracticeNetwork))
  const allow = stands.map(({ url }) => new URL(url).host).join(',')
  const product = await createTestApp({ KARVON_OUTBOUND_ALLOW: allow })
  const admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  const aziz = await createUser(product.app, admin, 'aziz')
  await ensureConnectors(product.deps.db)
  return {
    ...deskOf(product, admin, aziz),
    product,
    admin,
    stands: stands as { [K in keyof Shapes]: PracticeNetwork },
    async close() {
      await product.close()
      await Promise.all(stands.map((stand) => stand.close()))
    },
  }
}

function deskOf(product: Product, admin: Signed, aziz: Signed) {
  const create = async (path: string, body: object): Promise<number> => {
    const answer = await ask(product.app, admin, 'POST', path, body)
    if (answer.statusCode !== 201) throw new Error(`${path} gave ${answer.statusCode}: ${answer.body}`)
    return answer.json<{ id: number }>().id
  }
  const runs = async (credential: number) => {
    const url = `/api/admin/sync-runs/?source_credential_id=${credential}&per_page=200`
    return (await ask(product.app, admin, 'GET', url)).json<{ items: SyncRun[] }>().items
  }
  /** Lets one process look until nothing is due, or `signal` stops it; `over` changes the kinds of accounts. */
  const look = async (signal = new AbortController().signal, over: Partial<SyncKind> = {}) => {
    const kinds = syncKinds(product.deps).map((kind) => ({ ...kind, ...over }))
    const [job] = syncJobs(product.deps, kinds)
    let more = true
    while (more && !signal.aborted) more = (await job?.run(signal))?.more === true
  }
  return {
    create,
    runs,
    look,
    async reading(name: string, connector: string, mapping: object, word = pass): Promise<Reading> {
      const { id: user_id } = (await ask(product.app, aziz, 'GET', '/parcel/auth/me')).json<{ id: number }>()
      const source = await create('/api/admin/cpa-sources/', { name, url: 'https://network.example' })
      const website = await create('/api/admin/cpa-websites/', {
        name,
        cpa_source_id: source,
        connector,
        mapping,
      })
      const account = { name: `${name} of Aziz`, login, pass: word, source_id: source, user_id }
      return { source, website, credential: await create('/api/admin/source-credentials/', account) }
    },
    /** Asks for a run, and has it; `full` reads every order. */
    async runNow({ credential }: Reading, full = false, signal?: AbortSignal): Promise<SyncRun> {
      const url = `/api/admin/source-credentials/${credential}/run/${full ? '?full=true' : ''}`
      const answer = await ask(product.app, admin, 'POST', url)
      if (answer.statusCode !== 202) throw new Error(`${url} gave ${answer.statusCode}: ${answer.body}`)
      await look(signal)
      const [run] = await runs(credential)
      if (run === undefined) throw new Error('There was no run')
      return run
    },
    /** What Karvon has of it, a line a lead. */
    async leads({ source }: Reading): Promise<string[]> {
      const { rows } = await sql<{ line: string }>`
        select concat_ws(' ', external_id, source_status, payout,
          to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) as line
        from leads where source_id = ${source} order by external_id collate "C"`.execute(product.deps.db)
      return rows.map(({ line }) => line)
    },
  }
}

/** Lets a fake's address take the place of the network's, without the pauses that a real one is owed. */
export const quick = (stand: FakeNetwork) => ({ base_url: stand.url, manners: { page_delay_ms: 0 } })

/** What the network has, a line an order, as {@link openNetworks}' `leads` gives ours. */
export const bookOf = (
  stand: FakeNetwork,
  spelled = (id: number, word: string) => `${id} ${word}`,
): string[] =>
  stand.store
    .orders()
    .map(({ id, status, payout, created }) => {
      const time = new Date(created).toISOString().slice(0, 19).replace('T', ' ')
      return `${spelled(id, status)} ${(payout / 100).toFixed(2)} ${time}`
    })
    .toSorted()
