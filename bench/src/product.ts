import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '@karvon/server/platform/database/embedded.ts'
import { migrate } from '@karvon/server/platform/database/migrate.ts'
import { startProcess, type NodeProcess } from '@karvon/testkit/node-process.ts'
import { seedOffers } from './offers.seed.ts'
import { seedParcels } from './parcels.seed.ts'
import { readPostgresVersion, timezone, withPool } from './databases.ts'

/** The record that a sign-in stores in the browser. */
export interface Session {
  token: string
  user: { id: number; username: string; email: string; name: string; role: string; is_active: boolean }
}

/** The product, started as in production, on a PostgreSQL with 100,000 offers, and the server that it is compared with. */
export interface BenchProduct {
  app: NodeProcess
  bare: NodeProcess
  /** The token of an admin. */
  token: string
  session: Session
  postgres: { version: string; pid: number; url: string }
  stop(): Promise<void>
}

const admin = { username: 'admin', password: 'karvon-bench-admin' }
const programs = {
  app: fileURLToPath(import.meta.resolve('@karvon/server/main.ts')),
  bare: fileURLToPath(new URL('bare.server.ts', import.meta.url)),
}

/** `nodeArgs`: arguments of the product's process, such as `--cpu-prof`. */
export async function startBenchProduct(nodeArgs: readonly string[] = []): Promise<BenchProduct> {
  const folder = mkdtempSync(path.join(tmpdir(), 'karvon-bench-'))
  const database = await startEmbedded({ folder, log: () => {} })
  const processes: NodeProcess[] = []
  const stop = async () => {
    for (const startedProcess of processes) await startedProcess.stop()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const version = await prepareDatabase(database.url)
    const env = { ...buildWebEnv(database.url, folder), KARVON_ADMIN_PASSWORD: admin.password }
    const app = await startProcess(programs.app, { env, nodeArgs })
    processes.push(app)
    // The parcels belong to the admin that the product creates.
    await withPool(database.url, seedParcels)
    const bare = await startProcess(programs.bare, { env })
    processes.push(bare)
    const session = await signIn(app.url, admin)
    return {
      app,
      bare,
      token: session.token,
      session,
      postgres: { version, pid: database.pid(), url: database.url },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The environment of a web process on this database and data folder. It listens on a free port of 127.0.0.1. */
export const buildWebEnv = (url: string, folder: string) => ({
  ...process.env,
  DATABASE_URL: url,
  KARVON_DATA: folder,
  KARVON_TIMEZONE: timezone,
  KARVON_PROCESS: 'web',
  KARVON_DRAIN_SECONDS: '0',
  PORT: '0',
  HOST: '127.0.0.1',
})

/** Migrates and fills the database. Returns the version of PostgreSQL. */
async function prepareDatabase(url: string): Promise<string> {
  await migrate(url, { timezone })
  return withPool(url, async (pool) => {
    await seedOffers(pool)
    return readPostgresVersion(pool)
  })
}

/** Signs in over HTTP. */
export async function signIn(
  url: string,
  credentials: { username: string; password: string },
): Promise<Session> {
  const body = new FormData()
  body.set('username', credentials.username)
  body.set('password', credentials.password)
  const answer = await fetch(`${url}/parcel/auth/login`, { method: 'POST', body })
  const { access_token, ...user } = (await answer.json()) as Session['user'] & { access_token?: string }
  if (access_token === undefined) throw new Error(`Signing in answered ${answer.status}`)
  return { token: access_token, user: { ...user, is_active: true } }
}
