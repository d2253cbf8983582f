import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort } from '@karvon/testkit/free-port.ts'
import { NodeProcess } from '@karvon/testkit/node-process.ts'
import * as testkit from '@karvon/testkit/product.ts'

const cli = path.join(import.meta.dirname, '..', '..', 'server', 'src', 'cli.ts')

export const admin = { username: 'admin', password: 'karvon-stress-admin' }

/** Starts the product on a data folder, at a port where it can start again. `env` adds to its settings. */
export async function startProduct(folder: string, env: Record<string, string> = {}): Promise<NodeProcess> {
  const port = String(await findFreePort())
  const settings = { PORT: port, KARVON_ADMIN_PASSWORD: admin.password, KARVON_LOG: 'warn', ...env }
  return testkit.startProduct(folder, settings)
}

/** Runs `karvon check` on a data folder. Returns a failure if it found faults. */
export async function runCheck(folder: string, env: Record<string, string>): Promise<string[]> {
  const check = new NodeProcess(cli, {
    args: ['check'],
    env: { ...process.env, ...env, KARVON_DATA: folder },
  })
  const { code } = await check.ended
  return code === 0 ? [] : [`karvon check found faults: ${check.output}`]
}

/** Creates a data folder for a part. `await using` removes it. */
export async function createFolder(): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'karvon-stress-'))
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Signs in over HTTP and returns the token. Throws, with the answer, if it is refused. */
export async function signIn(
  url: string,
  credentials: { username: string; password: string } = admin,
): Promise<string> {
  const answer = await fetch(`${url}/parcel/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Signing in as ${credentials.username} answered ${answer.status}: ${text}`)
  return (JSON.parse(text) as { access_token: string }).access_token
}
