import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '@karvon/server/platform/database/embedded.ts'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import { startProcess, type NodeProcess } from '@karvon/testkit/node-process.ts'
import { signIn } from './product.ts'
import { admin } from './leads.cluster.ts'
import { listChildren } from './processor.ts'
import { readPostgresVersion, timezone } from './databases.ts'

export interface Size {
  accounts: number
  orders: number
  pageSize: number
}

/** The product, started by `npm start`, with accounts of fake networks. */
export interface SyncsProduct {
  /** The process id of the product's server. */
  pid: number
  postgres: string
  /** Makes every account due and waits until all are synced. Throws if one fails. */
  round(): Promise<{ seconds: number; counts: Record<string, number>; hits: Record<string, number> }>
  stop(): Promise<void>
}

const startProgram = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))
const networkProgram = fileURLToPath(new URL('syncs.network.ts', import.meta.url))

export async function startSyncsProduct({ accounts, orders, pageSize }: Size): Promise<SyncsProduct> {
  const cleanup: (() => unknown)[] = []
  const stop = async () => {
    for (let end = cleanup.pop(); end !== undefined; end = cleanup.pop()) await end()
  }
  const startTracked = async (program: string, env: Record<string, string>): Promise<NodeProcess> => {
    const child = await startProcess(program, { env: { ...process.env, ...env } })
    cleanup.push(() => child.stop())
    return child
  }
  try {
    const folder = mkdtempSync(path.join(tmpdir(), 'karvon-syncs-'))
    cleanup.push(() => rmSync(folder, { recursive: true, force: true }))
    const database = await startEmbedded({ folder, log: () => {} })
    cleanup.push(() => database.stop())
    const size = { ACCOUNTS: String(accounts), ORDERS: String(orders), PAGE_SIZE: String(pageSize) }
    const networkProcess = await startTracked(networkProgram, size)
    const urls = await readJson<string[]>(networkProcess.url)
    const app = await startTracked(startProgram, {
      DATABASE_URL: database.url,
      KARVON_DATA: folder,
      KARVON_TIMEZONE: timezone,
      KARVON_ADMIN_PASSWORD: admin.password,
      KARVON_OUTBOUND_ALLOW: urls.map((url) => new URL(url).host).join(','),
      PORT: '0',
      HOST: '127.0.0.1',
    })
    const pool = openPool(database.url, { timezone, statementTimeout: 0, max: 1 })
    cleanup.push(() => pool.end())
    await addAccounts(app.url, urls)
    return {
      pid: listChildren(app.pid)[0] ?? 0,
      postgres: await readPostgresVersion(pool),
      round: () => syncAll(pool, accounts, () => readJson(`${networkProcess.url}/hits`)),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const readJson = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T

/** Creates a source, a CPA credential and an account for each network, inactive until the first round. */
async function addAccounts(url: string, networkUrls: readonly string[]): Promise<void> {
  const { token, user } = await signIn(url, admin)
  const create = async (resource: string, body: object): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`${url}/api/admin/${resource}/`, request)
    if (answer.status !== 201)
      throw new Error(`${resource} answered ${answer.status}: ${await answer.text()}`)
    return ((await answer.json()) as { id: number }).id
  }
  for (const [i, base_url] of networkUrls.entries()) {
    const name = `Network ${i}`
    const source_id = await create('cpa-sources', { name, url: 'https://network.example', is_active: false })
    // Without the pause between two pages, which does not measure Karvon.
    const mapping = { base_url, limits: { page_delay_ms: 0 } }
    await create('cpa-websites', { name, cpa_source_id: source_id, connector: '100k', mapping })
    const account = { login: `person-${i}`, pass: 'bench', source_id, user_id: user.id }
    await create('source-credentials', { name: `Account ${i}`, ...account })
  }
}

async function syncAll(
  pool: ReturnType<typeof openPool>,
  accounts: number,
  readHits: () => Promise<Record<string, number>>,
): ReturnType<SyncsProduct['round']> {
  await readHits()
  const { rows: before } = await pool.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from sync_runs',
  )
  const startTime = performance.now()
  await pool.query('update cpa_sources set is_active = true where not is_active')
  await pool.query('update sync_states set next_run_at = now()')
  for (;;) {
    // A synced account is due again after five minutes. A long round must not count it twice.
    await pool.query(
      `update sync_states set next_run_at = now() + interval '1 day' where next_run_at between now() and now() + interval '1 hour'`,
    )
    const { rows } = await pool.query<{ status: string; runs: number; error: string | null }>(
      `select status, count(*) as runs, min(error) as error from sync_runs where id > $1 group by status`,
      [before[0]?.id],
    )
    const failedRow = rows.find(({ status }) => status !== 'running' && status !== 'done')
    if (failedRow !== undefined)
      throw new Error(`${failedRow.runs} runs ended ${failedRow.status}: ${failedRow.error}`)
    if (rows.find(({ status }) => status === 'done')?.runs === accounts) break
    await sleep(100)
  }
  const seconds = (performance.now() - startTime) / 1000
  const { rows: countRows } = await pool.query<{ what: string; n: number }>(
    `select key as what, sum(value::int) as n from sync_runs, jsonb_each_text(counts) where id > $1 group by key`,
    [before[0]?.id],
  )
  return {
    seconds,
    counts: Object.fromEntries(countRows.map(({ what, n }) => [what, n])),
    hits: await readHits(),
  }
}
