import { rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { testBinaries } from '../../../test/binaries.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { openSilentProxy, type SilentProxy } from '../../../test/silent-proxy.ts'
import { openClient } from './connection.ts'
import { startEmbedded, type Embedded } from './embedded.ts'
import { isDatabaseUnavailable } from './pg-errors.ts'
import { openPool } from './pool.ts'

const timezone = 'Asia/Tashkent'
const password = 'p'.repeat(32)
const servers: Embedded[] = []
const proxies: SilentProxy[] = []
const folders: string[] = []
/** host:port of a server that accepts changes, and of one that does not. */
let writable = ''
let readOnly = ''

/** A PostgreSQL behind a port of this machine. */
async function startServer(settings: Record<string, string>): Promise<string> {
  const folder = createTemporaryFolder()
  folders.push(folder)
  await writeFile(join(folder, 'postgres.password'), `${password}\n`, { mode: 0o600 })
  const server = await startEmbedded({
    folder,
    log: () => {},
    binaries: testBinaries(),
    settings: { fsync: 'off', ...settings },
  })
  servers.push(server)
  const proxy = await openSilentProxy(server.url)
  proxies.push(proxy)
  return new URL(proxy.url).host
}

beforeAll(async () => {
  writable = await startServer({})
  readOnly = await startServer({ default_transaction_read_only: 'on' })
})
afterAll(async () => {
  for (const proxy of proxies) proxy.close()
  for (const server of servers) await server.stop()
  for (const folder of folders) await rm(folder, { recursive: true })
})

const buildUrl = (hosts: string[], query = '') =>
  `postgresql://karvon:${password}@${hosts.join()}/karvon${query}`

/** Whether the server that answers accepts changes. */
async function isWritable(url: string): Promise<boolean> {
  const client = await openClient(url, { timezone })
  try {
    const text = `select current_setting('default_transaction_read_only') = 'off' as is_writable`
    return (await client.query<{ is_writable: boolean }>(text)).rows[0]?.is_writable ?? false
  } finally {
    await client.end()
  }
}

/** A host that accepts connections and never answers. */
async function startSilentHost(): Promise<{ host: string; countConnections: () => number }> {
  let connections = 0
  const server: Server = createServer((socket) => {
    connections += 1
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, countConnections: () => connections }
}

const closedHost = '127.0.0.1:1'

test('a host that refuses connections and a host that does not answer are skipped', async () => {
  const silent = await startSilentHost()
  expect(await isWritable(buildUrl([closedHost, silent.host, writable]))).toBe(true)
  expect(silent.countConnections()).toBe(1)
})

test('hosts and ports may be parameters of the URL', async () => {
  const [, port] = writable.split(':')
  const url = `postgresql://karvon:${password}@/karvon?host=127.0.0.1,127.0.0.1&port=1,${port}`
  expect(await isWritable(url)).toBe(true)
})

test.each([
  ['any', false],
  ['read-write', true],
  ['primary', false],
])(
  'target_session_attrs=%s chooses among a read-only and a writable server',
  async (attributes, expected) => {
    const query = `?target_session_attrs=${attributes}`
    expect(await isWritable(buildUrl([readOnly, writable], query))).toBe(expected)
  },
)

test('without a suitable host each attempt is reported, without the password, as an unavailable database', async () => {
  for (const hosts of [[closedHost, readOnly], [readOnly]]) {
    const error: unknown = await isWritable(buildUrl(hosts, '?target_session_attrs=read-write')).catch(
      (reason: unknown) => reason,
    )
    expect(isDatabaseUnavailable(error)).toBe(true)
    expect(String(error)).toContain('127.0.0.1 does not accept changes (target_session_attrs=read-write)')
    expect(String(error)).not.toContain(password)
  }
})

test('a pool continues with the next host when its host is lost, and keeps using it', async () => {
  const proxy = await openSilentProxy(servers[1]?.url ?? '')
  const first = new URL(proxy.url).host
  const pool = openPool(buildUrl([first, writable]), { timezone, max: 2 })
  onTestFinished(() => pool.end())
  const read = async () => (await pool.query('show default_transaction_read_only')).rows
  expect(await read()).toEqual([{ default_transaction_read_only: 'on' }])
  proxy.close()
  await expect.poll(() => read().catch(() => [])).toEqual([{ default_transaction_read_only: 'off' }])
  expect(await read()).toEqual([{ default_transaction_read_only: 'off' }])
})
