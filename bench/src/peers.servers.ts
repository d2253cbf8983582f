import { setTimeout as sleep } from 'node:timers/promises'
import path from 'node:path'
import { NodeProcess } from '@karvon/testkit/node-process.ts'
import { findFreePort } from '@karvon/testkit/free-port.ts'
import { withPool } from './databases.ts'
import { installPeer, peerFolder } from './peer.install.ts'

/** A server that answers a list of ten offers. `body`: the body of the request, a POST. */
export interface ServerPeer {
  name: string
  url: string
  token?: string
  body?: string
  pid: number
  /** The ids and the total of an answer. */
  readAnswer: (answer: unknown) => { ids: number[]; total: number }
  stop(): Promise<void>
}

/** A schema with the tables of the list alone, because the peers read every table of their schema at start. */
const schema = 'peer'
const tables = ['statuses', 'cpa_sources', 'offers']
const references = { status_id: 'statuses', source_id: 'cpa_sources', master_offer_id: 'offers' }

const readyTimeout = 180_000

/** Copies the tables of the list, with their indexes and references, to the schema of the peers. */
export async function copyTablesForPeers(databaseUrl: string): Promise<void> {
  await withPool(databaseUrl, async (pool) => {
    await pool.query(`create schema ${schema}`)
    for (const table of tables) {
      await pool.query(`create table ${schema}.${table} (like ${table} including all)`)
      await pool.query(`insert into ${schema}.${table} overriding system value select * from ${table}`)
    }
    for (const [column, table] of Object.entries(references))
      await pool.query(
        `alter table ${schema}.offers add foreign key (${column}) references ${schema}.${table} (id)`,
      )
    await pool.query(`vacuum analyze ${tables.map((table) => `${schema}.${table}`).join(', ')}`)
  })
}

/**
 * Starts Directus as its documentation does: `directus bootstrap`, then `directus start`. It checks the token of an
 * admin. Its log names no request, because each line would cost time.
 */
export async function startDirectus(databaseUrl: string): Promise<ServerPeer> {
  const version = installPeer('directus', 'directus')
  const cwd = peerFolder('directus')
  const program = path.join(cwd, 'node_modules', 'directus', 'cli.js')
  const admin = { email: 'admin@example.com', password: 'karvon-bench-admin' }
  // The peers print their address in forms of their own, so they get a port.
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    ...buildDirectusConnection(databaseUrl),
    DB_SEARCH_PATH: `array:${schema}`,
    SECRET: 'karvon-bench-secret-of-directus-0123456789',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    PUBLIC_URL: url,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'warn',
    TELEMETRY: 'false',
    NODE_ENV: 'production',
  }
  const bootstrap = new NodeProcess(program, { args: ['bootstrap'], env, cwd })
  const { code } = await bootstrap.ended
  if (code !== 0) throw new Error(`directus bootstrap ended with ${code}:\n${bootstrap.output}`)
  const server = new NodeProcess(program, { args: ['start'], env, cwd })
  await waitForAnswer(server, `${url}/server/ping`)
  const signIn = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const { data } = (await signIn.json()) as { data: { access_token: string } }
  const fields = '*,status_id.name,source_id.name,master_offer_id.name'
  return {
    name: `Directus ${version}`,
    url: `${url}/items/offers?limit=10&sort=-id&meta=total_count&fields=${fields}`,
    token: data.access_token,
    pid: server.pid,
    readAnswer(answer) {
      const { data: items, meta } = answer as { data: { id: string }[]; meta: { total_count: number } }
      return { ids: items.map(({ id }) => Number(id)), total: meta.total_count }
    },
    stop: () => server.stop(),
  }
}

/** The settings of Directus for a URL whose host, a folder of a socket, is a parameter. */
function buildDirectusConnection(databaseUrl: string): Record<string, string> {
  // A URL needs a host.
  const { username, password, pathname, searchParams } = new URL(databaseUrl.replace('@/', '@socket/'))
  return {
    DB_CLIENT: 'pg',
    DB_HOST: searchParams.get('host') ?? '',
    DB_PORT: '5432',
    DB_DATABASE: pathname.slice(1),
    DB_USER: username,
    DB_PASSWORD: decodeURIComponent(password),
  }
}

/** Starts PostGraphile as its documentation does, with its preset. It checks no token. */
export async function startPostGraphile(databaseUrl: string): Promise<ServerPeer> {
  const version = installPeer('postgraphile', 'postgraphile')
  const cwd = peerFolder('postgraphile')
  const program = path.join(cwd, 'node_modules', 'postgraphile', 'dist', 'cli-run.js')
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/graphql`
  const connection = ['--connection', databaseUrl, '--schema', schema]
  const args = ['--preset', 'postgraphile/presets/amber', ...connection, '--host', '127.0.0.1']
  const server = new NodeProcess(program, {
    args: [...args, '--port', String(port)],
    env: { ...process.env, NODE_ENV: 'production' },
    cwd,
  })
  const body = JSON.stringify({ query: listQuery })
  await waitForAnswer(server, url, body)
  return {
    name: `PostGraphile ${version}`,
    url,
    body,
    pid: server.pid,
    readAnswer(answer) {
      const { allOffers } = (
        answer as { data: { allOffers: { totalCount: number; nodes: { rowId: string }[] } } }
      ).data
      return { ids: allOffers.nodes.map(({ rowId }) => Number(rowId)), total: allOffers.totalCount }
    },
    stop: () => server.stop(),
  }
}

const listQuery = `{
  allOffers(first: 10, orderBy: [PRIMARY_KEY_DESC]) {
    totalCount
    nodes {
      rowId name price affiliateFee storeName extraId imageUrl createdAt updatedAt
      statusByStatusId { rowId name }
      cpaSourceBySourceId { rowId name }
      offerByMasterOfferId { rowId name }
    }
  }
}`

/** Waits for an answer of success. A body makes the request a POST. */
async function waitForAnswer(server: NodeProcess, url: string, body?: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const request = body === undefined ? {} : { method: 'POST', headers, body }
  const deadline = Date.now() + readyTimeout
  while (server.end === null && Date.now() < deadline) {
    const answer = await fetch(url, request).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.ok === true) return
    await sleep(500)
  }
  await server.stop()
  throw new Error(`${url} did not answer:\n${server.output}`)
}
