import type { SyncRun } from '@karvon/contract/syncs/syncs.ts'
import { createStreams, ScriptedStore } from '@karvon/testkit/fakes/network.store.ts'
import type { NetworkDialect } from '@karvon/testkit/fakes/network.dialects.ts'
import { startNetwork, type FakeNetwork } from '@karvon/testkit/fakes/network.ts'
import { sql } from 'kysely'
import { syncKinds } from '../src/app/syncs.ts'
import { ensureConnectors } from '../src/domains/connectors/connectors.start.ts'
import { createSyncJobs } from '../src/domains/syncs/syncs.engine.ts'
import type { SyncKind } from '../src/domains/syncs/syncs.kind.ts'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from './app.ts'
import { day, hour, runStart } from './moment.ts'
import { createUser, readOwnId } from './people.ts'

/** A fake network with a scripted store of orders. */
export interface PracticeNetwork extends FakeNetwork {
  store: ScriptedStore
}

/** Creates a random generator of numbers in [0, 1) that are the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const firstOrderAt = runStart - 50 * day
const login = 'aziz@desk.uz'
const pass = 'sirli so‘z'

/** A store without orders. */
export const createEmptyStore = (seed: number): ScriptedStore =>
  new ScriptedStore(createStreams(50, ['Reels', 'TikTok', 'Telegram']), createRandom(seed))

async function startPracticeNetwork(dialect: NetworkDialect): Promise<PracticeNetwork> {
  const store = createEmptyStore(dialect.length)
  store.addOrders(120, firstOrderAt)
  store.advanceOrders(200, firstOrderAt + hour)
  return Object.assign(await startNetwork({ dialect, store, login, pass, pageSize: 25 }), { store })
}

/** The ids of an account of a network: source, CPA credential and Aziz's credential. */
export interface TestNetworkAccount {
  source: number
  website: number
  credential: number
}

/** Opens a product with an admin, the person Aziz and fake networks. Call `close` after the tests. */
export async function openNetworks<const Shapes extends readonly NetworkDialect[]>(dialects: Shapes) {
  const fakes = await Promise.all(dialects.map(startPracticeNetwork))
  const allow = fakes.map(({ url }) => new URL(url).host).join(',')
  const product = await createTestApp({ KARVON_OUTBOUND_ALLOW: allow })
  const admin = await signInAdmin(product.app)
  const aziz = await createUser(product.app, admin, 'aziz')
  await ensureConnectors(product.deps.db)
  return {
    ...createNetworkHelpers(product, admin, aziz),
    product,
    admin,
    fakes: fakes as { [K in keyof Shapes]: PracticeNetwork },
    async close() {
      await product.close()
      await Promise.all(fakes.map((fake) => fake.close()))
    },
  }
}

function createNetworkHelpers(product: Product, admin: Session, aziz: Session) {
  const create = async (path: string, body: object): Promise<number> => {
    const answer = await callApi(product.app, admin, 'POST', path, body)
    if (answer.statusCode !== 201) throw new Error(`${path} gave ${answer.statusCode}: ${answer.body}`)
    return answer.json<{ id: number }>().id
  }
  const listRuns = async (credential: number) => {
    const url = `/api/admin/sync-runs/?source_credential_id=${credential}&per_page=200`
    return (await callApi(product.app, admin, 'GET', url)).json<{ items: SyncRun[] }>().items
  }
  /** Runs the sync job until nothing is due or `signal` aborts. `overrides` changes the kinds of accounts. */
  const runSyncs = async (signal = new AbortController().signal, overrides: Partial<SyncKind> = {}) => {
    const kinds = syncKinds(product.deps).map((kind) => ({ ...kind, ...overrides }))
    const [job] = createSyncJobs(product.deps, kinds)
    let hasMore = true
    while (hasMore && !signal.aborted) hasMore = (await job?.run(signal))?.hasMore === true
  }
  return {
    create,
    runs: listRuns,
    runSyncs,
    async createAccount(
      name: string,
      connector: string,
      mapping: object,
      status = pass,
    ): Promise<TestNetworkAccount> {
      const user_id = await readOwnId(product.app, aziz)
      const source = await create('/api/admin/cpa-sources/', { name, url: 'https://network.example' })
      const website = await create('/api/admin/cpa-websites/', {
        name,
        cpa_source_id: source,
        connector,
        mapping,
      })
      const account = { name: `${name} of Aziz`, login, pass: status, source_id: source, user_id }
      return { source, website, credential: await create('/api/admin/source-credentials/', account) }
    },
    /** Requests a sync run and runs it. `full` reads every order. */
    async runSync({ credential }: TestNetworkAccount, full = false, signal?: AbortSignal): Promise<SyncRun> {
      const url = `/api/admin/source-credentials/${credential}/run/${full ? '?full=true' : ''}`
      const answer = await callApi(product.app, admin, 'POST', url)
      if (answer.statusCode !== 202) throw new Error(`${url} gave ${answer.statusCode}: ${answer.body}`)
      await runSyncs(signal)
      const [run] = await listRuns(credential)
      if (run === undefined) throw new Error('There was no run')
      return run
    },
    /** Lists the leads that Karvon has, one line for each. */
    async listLeads({ source }: TestNetworkAccount): Promise<string[]> {
      const { rows } = await sql<{ line: string }>`
        select concat_ws(' ', external_id, source_status, payout,
          to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) as line
        from leads where source_id = ${source} order by external_id collate "C"`.execute(product.deps.db)
      return rows.map(({ line }) => line)
    },
  }
}

/** Builds a mapping to the fake's address without pauses between pages. */
export const buildFastMapping = (fake: FakeNetwork) => ({ base_url: fake.url, limits: { page_delay_ms: 0 } })

/** Lists the network's orders in the format of `listLeads`. */
export const listOrders = (
  fake: FakeNetwork,
  formatOrder = (id: number, status: string) => `${id} ${status}`,
): string[] =>
  fake.store
    .orders()
    .map(({ id, status, payout, created }) => {
      const time = new Date(created).toISOString().slice(0, 19).replace('T', ' ')
      return `${formatOrder(id, status)} ${(payout / 100).toFixed(2)} ${time}`
    })
    .toSorted()

/** The description of the dialect `odd`, which has no built-in connector. Its filter is `changed_since`. */
export const customDescription = {
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

/** With the filter, a full scan reads only orders that changed since the last one. */
export const descriptionWithFilter = {
  ...customDescription,
  orders: { ...customDescription.orders, updated_since: { param: 'changed_since', unit: 'seconds' } },
}
