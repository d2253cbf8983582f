import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { buildApp } from '../src/app.ts'
import { ensureFirstAdmin } from '../src/domains/auth/first-admin.ts'
import { readConfig, type Config } from '../src/config.ts'
import { openDeps, openLog } from '../src/deps.ts'
import { createTestDatabase, TEST_TIMEZONE } from './database.ts'

export type Product = Awaited<ReturnType<typeof createTestApp>>

/** What seals the secrets of a test's product. */
export const testKey = Buffer.alloc(32, 7)

/** Who signs in on a test's product at first. */
export const firstAdmin = { username: 'admin', password: 'first-admin-password' }

/**
 * The product as production builds it, on a database and a data folder of its own, with the first admin in
 * it. `env` adds to its environment, `over` replaces what no environment sets, `log` takes the log's lines.
 * Call `close` after the tests.
 */
export async function createTestApp(
  env: Record<string, string> = {},
  over: Partial<Config> = {},
  log?: { write(line: string): void },
) {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'karvon-app-'))
  const base = { KARVON_DATA: folder, KARVON_TIMEZONE: TEST_TIMEZONE, KARVON_LOG: 'silent' }
  const config = { ...readConfig({ ...base, ...env }), ...over }
  const deps = await openDeps(config, database.url, { keys: [testKey] }, openLog(config.logLevel, log))
  await ensureFirstAdmin(deps.db, firstAdmin)
  const app = await buildApp(deps)
  return {
    app,
    deps,
    databaseUrl: database.url,
    close: async () => {
      await app.close()
      await deps.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export interface Signed {
  token: string
  headers: { authorization: string }
}

/** Signs in over the wire. */
export async function signIn(app: FastifyInstance, username: string, password: string): Promise<Signed> {
  const payload = { username, password }
  const answer = await app.inject({ method: 'POST', url: '/parcel/auth/login', payload })
  if (answer.statusCode !== 200)
    throw new Error(`Signing in as ${username} gave ${answer.statusCode}: ${answer.body}`)
  const { access_token: token } = answer.json<{ access_token: string }>()
  return { token, headers: { authorization: `Bearer ${token}` } }
}

/** One request as a person (null: nobody). */
export function ask(
  app: FastifyInstance,
  as: Signed | null,
  method: NonNullable<InjectOptions['method']>,
  url: string,
  payload?: InjectOptions['payload'],
): Promise<LightMyRequestResponse> {
  return app.inject({ method, url, headers: { ...as?.headers }, ...(payload !== undefined && { payload }) })
}
