import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { buildApp } from '../src/app.ts'
import { findAdminRole, hasAnyUser, insertFirstAdmin } from '../src/domains/auth/auth.accounts.queries.ts'
import { hasStoredFiles } from '../src/domains/uploads/uploads.queries.ts'
import { readConfig, type Config } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import type { Deps } from '../src/platform/deps.ts'
import { claimFileStore } from '../src/platform/files/file-store.mark.ts'
import { createTestDatabase, TEST_TIMEZONE } from './database.ts'

export type Product = Awaited<ReturnType<typeof createTestApp>>

/** The key that encrypts the secrets of a test product. */
export const testKey = Buffer.alloc(32, 7)

/** The lowest cost of argon2id, because a run signs in thousands of times. */
const lowestCost = { memory: 8, passes: 1, parallelism: 1 }

/** The first admin of a test product. */
export const firstAdmin = { username: 'admin', password: 'first-admin-password' }

/**
 * Builds the product as in production, with its own database and data folder and a first admin. `env` adds to its
 * environment, `overrides` replaces settings that no variable sets, `log` receives the log lines. Call `close` after the
 * tests.
 */
export async function createTestApp(
  env: Record<string, string> = {},
  overrides: Partial<Config> = {},
  log?: { write(line: string): void },
) {
  const database = await createTestDatabase()
  const connections = {
    ...(database.poolerUrl !== undefined && { KARVON_DATABASE_DIRECT_URL: database.url }),
    ...(database.replicaUrl !== undefined && { KARVON_DATABASE_READ_URL: database.replicaUrl }),
  }
  const url = database.poolerUrl ?? database.url
  const product = await createTestAppOn(url, { ...connections, ...env }, overrides, log)
  return {
    ...product,
    databaseUrl: database.url,
    close: async () => {
      const failures = await countReplicaFailures(product.deps)
      await product.close()
      await database.drop()
      if (failures > 0) throw new Error(`${failures} calls that read failed on the standby`)
    },
  }
}

/** A call that writes fails on a standby, and runs again on the primary. */
async function countReplicaFailures({ metrics }: Deps): Promise<number> {
  const reads = metrics.getSingleMetric('database_reads_total')
  const { values = [] } = (await reads?.get()) ?? {}
  return values.find(({ labels }) => labels.source === 'primary after replica')?.value ?? 0
}

/** The same on a migrated database that exists. */
export async function createTestAppOn(
  url: string,
  env: Record<string, string>,
  overrides: Partial<Config> = {},
  log?: { write(line: string): void },
) {
  const folder = await mkdtemp(join(tmpdir(), 'karvon-app-'))
  const base = {
    DATABASE_URL: url,
    KARVON_DATA: folder,
    KARVON_TIMEZONE: TEST_TIMEZONE,
    KARVON_LOG: 'silent',
  }
  const config = { ...readConfig({ ...base, ...env }), passwordCost: lowestCost, ...overrides }
  const deps = await openDeps(config, {
    url,
    ring: { keys: [testKey] },
    log: openLog(config.logLevel, log),
  })
  await claimFileStore(deps.db, { store: deps.files, hasFiles: hasStoredFiles })
  await ensureTestAdmin(deps)
  const app = await buildApp(deps)
  return {
    app,
    deps,
    close: async () => {
      await app.close()
      await deps.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function ensureTestAdmin({ db, passwords }: Deps): Promise<void> {
  if (await hasAnyUser(db)) return
  await insertFirstAdmin(db, {
    username: firstAdmin.username,
    name: 'Administrator',
    email: 'admin@karvon.invalid',
    role_id: await findAdminRole(db),
    password_hash: await passwords.hash(firstAdmin.password),
  })
}

export interface Session {
  token: string
  headers: { authorization: string }
}

/** Signs in over HTTP. */
export async function signIn(app: FastifyInstance, username: string, password: string): Promise<Session> {
  const payload = { username, password }
  const answer = await app.inject({ method: 'POST', url: '/parcel/auth/login', payload })
  if (answer.statusCode !== 200)
    throw new Error(`Signing in as ${username} gave ${answer.statusCode}: ${answer.body}`)
  const { access_token: token } = answer.json<{ access_token: string }>()
  return { token, headers: { authorization: `Bearer ${token}` } }
}

/** Signs in as the first admin. */
export const signInAdmin = (app: FastifyInstance): Promise<Session> =>
  signIn(app, firstAdmin.username, firstAdmin.password)

/** Sends a request with a session. Null: without a session. */
export function callApi(
  app: FastifyInstance,
  session: Session | null,
  method: NonNullable<InjectOptions['method']>,
  url: string,
  payload?: InjectOptions['payload'],
): Promise<LightMyRequestResponse> {
  return app.inject({
    method,
    url,
    headers: { ...session?.headers },
    ...(payload !== undefined && { payload }),
  })
}
