import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '@karvon/server/platform/database/embedded.ts'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import { startListening, type Listening } from './child.ts'
import { signIn } from './desk.ts'
import { admin, timezone } from './leads.cluster.ts'
import { childrenOf } from './processor.ts'

export interface Size {
  accounts: number
  orders: number
  pageSize: number
}

/** The product as `npm start` starts it, with accounts at networks that stand beside it. */
export interface SyncsDesk {
  /** Of the product's server. */
  pid: number
  postgres: string
  /** Makes every account due, and waits until all were fetched; throws where one of them failed. */
  round(): Promise<{ seconds: number; counts: Record<string, number>; hits: Record<string, number> }>
  stop(): Promise<void>
}

const start = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))
const networks = fileURLToPath(new URL('syncs.network.ts', import.meta.url))

export async function openSyncs({ accounts, orders, pageSize }: Size): Promise<SyncsDesk> {
  const undo: (() => unknown)[] = []
  const stop = async () => {
    for (let end = undo.pop(); end !== undefined; end = undo.pop()) await end()
  }
  const begin = async (program: string, env: Record<string, string>): Promise<Listening> => {
    const begun = await startListening(program, env)
    undo.push(() => begun.stop())
    return begun
  }
  try {
    const folder = mkdtempSync(path.join(tmpdir(), 'karvon-syncs-'))
    undo.push(() => rmSync(folder, { recursive: true, force: true }))
    const database = await startEmbedded({ folder, log: () => {} })
    undo.push(() => database.stop())
    const size = { ACCOUNTS: String(accounts), ORDERS: String(orders), PAGE_SIZE: String(pageSize) }
    const beside = await begin(networks, size)
    const urls = await told<string[]>(beside.url)
    const app = await begin(start, {
      DATABASE_URL: database.url,
      KARVON_DATA: folder,
      KARVON_TIMEZONE: timezone,
      KARVON_ADMIN_PASSWORD: admin.password,
      KARVON_OUTBOUND_ALLOW: urls.map((url) => new URL(url).host).join(','),
      PORT: '0',
      HOST: '127.0.0.1',
    })
    const pool = openPool(database.url, { timezone, statementTimeout: 0, max: 1 })
    undo.push(() => pool.end())
    await addAccounts(app.url, urls)
    const { rows } = await pool.query<{ server_version: string }>('show server_version')
    return {
      pid: childrenOf(app.pid)[0] ?? 0,
      postgres: rows[0]?.server_version ?? '',
      round: () => fetchAll(pool, accounts, () => told(`${beside.url}/hits`)),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const told = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T

/** A source, a CPA credential and an account for each network, resting until the first round. */
async function addAccounts(url: string, networkUrls: readonly string[]): Promise<void> {
  const { token, user } = await signIn(url, admin)
  const create = async (resource: string, body: object): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`${url}/api/admin/${resource}/`, sent)
    if (answer.status !== 201)
      throw new Error(`${resource} answered ${answer.status}: ${await answer.text()}`)
    return ((await answer.json()) as { id: number }).id
  }
  for (const [i, base_url] of networkUrls.entries()) {
    const name = `Network ${i}`
    const source_id = await create('cpa-sources', { name, url: 'https://network.example', is_active: false })
    // Without the pause between two pages, which says nothing of Karvon.
    const mapping = { base_url, manners: { page_delay_ms: 0 } }
    await create('cpa-websites', { name, cpa_source_id: source_id, connector: '100k', mapping })
    const account = { login: `person-${i}`, pass: 'bench', source_id, user_id: user.id }
    await create('source-credentials', { name: `Account ${i}`, ...account })
  }
}

async function fetchAll(
  pool: ReturnType<typeof openPool>,
  accounts: number,
  hits: () => Promise<Record<string, number>>,
): ReturnType<SyncsDesk['round']> {
  await hits()
  const { rows: before } = await pool.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from sync_runs',
  )
  const begun = performance.now()
  await pool.query('update cpa_sources set is_active = true where not is_active')
  await pool.query('update sync_states set next_run_at = now()')
  for (;;) {
    // Who was fetched is due again in five minutes, which a long round must not count.
    await pool.query(
      `update sync_states set next_run_at = now() + interval '1 day' where next_run_at between now() and now() + interval '1 hour'`,
    )
    const { rows } = await pool.query<{ status: string; runs: number; error: string | null }>(
      `select status, count(*) as runs, min(error) as error from sync_runs where id > $1 group by status`,
      [before[0]?.id],
    )
    const failed = rows.find(({ status }) => status !== 'running' && status !== 'done')
    if (failed !== undefined) throw new Error(`${failed.runs} runs ended ${failed.status}: ${failed.error}`)
    if (rows.find(({ status }) => status === 'done')?.runs === accounts) break
    await sleep(100)
  }
  const seconds = (performance.now() - begun) / 1000
  const { rows: counted } = await pool.query<{ what: string; n: number }>(
    `select key as what, sum(value::int) as n from sync_runs, jsonb_each_text(counts) where id > $1 group by key`,
    [before[0]?.id],
  )
  return { seconds, counts: Object.fromEntries(counted.map(({ what, n }) => [what, n])), hits: await hits() }
}
