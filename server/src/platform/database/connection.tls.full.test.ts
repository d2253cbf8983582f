import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBinaries } from '../../../test/binaries.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { findFreePort } from '@karvon/testkit/free-port.ts'
import { openSilentProxy } from '../../../test/silent-proxy.ts'
import { readConfig } from '../../config.ts'
import { UnsuitableConnectionError } from './connection.check.ts'
import { openClient } from './connection.ts'
import { startEmbedded, type Embedded } from './embedded.ts'

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'])
    return true
  } catch {
    return false
  }
})()

const folder = createTemporaryFolder()
const path = (name: string) => join(folder, name)
let server: Embedded | undefined
let port = 0
let password = ''

beforeAll(async () => {
  if (!hasOpenssl) return
  const options = { folder, log: () => {}, binaries: testBinaries() }
  const first = await startEmbedded(options)
  password = new URL(first.url.replace('@/', '@localhost/')).password
  await first.stop()
  createCertificates()
  const cluster = join(folder, 'postgres', 'cluster')
  const settings = installCertificates(cluster)
  // Its role may connect to template1 with a certificate only.
  const rules = [
    'hostssl karvon karvon 127.0.0.1/32 scram-sha-256',
    'hostssl template1 karvon 127.0.0.1/32 scram-sha-256 clientcert=verify-ca',
  ]
  writeFileSync(join(cluster, 'pg_hba.conf'), `${rules.join('\n')}\n`)
  port = await findFreePort()
  server = await startEmbedded({
    ...options,
    settings: { fsync: 'off', listen_addresses: '127.0.0.1', port: String(port), ...settings },
  })
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true })
})

/** An authority with certificates for the server `localhost` and for a client, and another authority. */
function createCertificates(): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'rsa:2048', '-nodes']
  for (const name of ['authority', 'other'])
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
    )
  writeFileSync(path('names'), 'subjectAltName=DNS:localhost\n')
  for (const name of ['server', 'client']) {
    openssl('req', '-new', ...newKey, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    const issuer = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-CAcreateserial']
    openssl(
      'x509',
      '-req',
      ...issuer,
      '-days',
      '2',
      '-extfile',
      'names',
      '-in',
      `${name}.csr`,
      '-out',
      `${name}.crt`,
    )
  }
}

/** PostgreSQL reads a key only if its own account owns it. */
function installCertificates(cluster: string): Record<string, string> {
  const { uid, gid } = statSync(cluster)
  for (const name of ['server.crt', 'server.key', 'authority.crt']) {
    const target = join(cluster, name)
    copyFileSync(path(name), target)
    chmodSync(target, 0o600)
    if (process.getuid?.() === 0) chownSync(target, uid, gid)
  }
  return {
    ssl: 'on',
    ssl_cert_file: 'server.crt',
    ssl_key_file: 'server.key',
    ssl_ca_file: 'authority.crt',
  }
}

/** Whether a connection with these settings is encrypted. */
async function connect(
  environment: Record<string, string>,
  { host = 'localhost', database = 'karvon' } = {},
): Promise<boolean> {
  const DATABASE_URL = `postgresql://karvon:${password}@${host}:${port}/${database}`
  return isEncrypted(readConfig({ DATABASE_URL, ...environment }).databaseUrl ?? '')
}

async function isEncrypted(url: string): Promise<boolean> {
  const client = await openClient(url, { timezone: 'Asia/Tashkent' })
  try {
    const text = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
    return (await client.query<{ ssl: boolean }>(text)).rows[0]?.ssl ?? false
  } finally {
    await client.end()
  }
}

const authority = { PGSSLROOTCERT: path('authority.crt') }
const otherEnv = { PGSSLROOTCERT: path('other.crt') }

test.skipIf(!hasOpenssl).each(['allow', 'prefer', 'require'])(
  'PGSSLMODE=%s encrypts without a certificate to verify',
  async (mode) => {
    expect(await connect({ PGSSLMODE: mode })).toBe(true)
  },
)

test.skipIf(!hasOpenssl)(
  'without PGSSLMODE, and with disable, the connection to the database is not encrypted',
  async () => {
    const environments: Record<string, string>[] = [{}, { PGSSLMODE: 'disable' }]
    for (const environment of environments)
      await expect(connect(environment)).rejects.toThrow('no encryption')
  },
)

test.skipIf(!hasOpenssl)(
  'PGSSLMODE=verify-ca verifies the chain of the certificate, and verify-full its name too',
  async () => {
    expect(await connect({ PGSSLMODE: 'verify-full', ...authority })).toBe(true)
    expect(await connect({ PGSSLMODE: 'verify-ca', ...authority }, { host: '127.0.0.1' })).toBe(true)
    for (const [environment, host] of [
      [{ PGSSLMODE: 'verify-full', ...authority }, '127.0.0.1'],
      [{ PGSSLMODE: 'verify-full', ...otherEnv }, 'localhost'],
      [{ PGSSLMODE: 'verify-ca', ...otherEnv }, 'localhost'],
      [{ PGSSLMODE: 'require', ...otherEnv }, 'localhost'],
      [{ PGSSLROOTCERT: 'system' }, 'localhost'],
    ] as const)
      await expect(connect(environment, { host })).rejects.toThrow(UnsuitableConnectionError)
  },
)

test.skipIf(!hasOpenssl)('PGSSLCERT and PGSSLKEY identify the client', async () => {
  const environment = { PGSSLMODE: 'verify-full', ...authority }
  const client = { PGSSLCERT: path('client.crt'), PGSSLKEY: path('client.key') }
  const database = { database: 'template1' }
  await expect(connect(environment, database)).rejects.toThrow('certificate')
  expect(await connect({ ...environment, ...client }, database)).toBe(true)
})

test('a server without TLS is used with prefer, and refused with require', async () => {
  const database = await createTestDatabase({ empty: true })
  const proxy = await openSilentProxy(database.url)
  try {
    const mode = (name: string) => `${proxy.url}${proxy.url.includes('?') ? '&' : '?'}sslmode=${name}`
    for (const name of ['prefer', 'allow', 'disable']) expect(await isEncrypted(mode(name))).toBe(false)
    await expect(isEncrypted(mode('require'))).rejects.toThrow('TLS failed')
  } finally {
    proxy.close()
    await database.drop()
  }
})
