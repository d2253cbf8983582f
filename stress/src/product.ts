import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(import.meta.resolve('@karvon/server/main.ts'))

export const admin = { username: 'admin', password: 'karvon-stress-admin' }

/** The product as production starts it: one process, with the embedded database or that of `env`. */
export interface Product {
  url: string
  pid: number
  /** How it ended, null while it runs. */
  ended(): { code: number | null; signal: NodeJS.Signals | null } | null
  /** What it printed so far, its log included. */
  printed(): string
  /** Ends it in order. */
  stop(): Promise<void>
  /** kill -9, its database not included. */
  kill(): Promise<void>
}

/** Starts the product on a data folder; resolves once it says where it listens. `env` adds to its settings. */
export async function startProduct(folder: string, env: Record<string, string> = {}): Promise<Product> {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      KARVON_DATA: folder,
      KARVON_DEMO: 'off',
      KARVON_ADMIN_PASSWORD: admin.password,
      KARVON_LOG: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)
      if (address) resolve(address[0])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) =>
      reject(new Error(`Karvon ended with ${code} before it listened:\n${output}`)),
    )
  })
  const { pid } = child
  if (pid === undefined) throw new Error('Karvon has no process')
  return {
    url,
    pid,
    ended: () => (isOver(child) ? { code: child.exitCode, signal: child.signalCode } : null),
    printed: () => output,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  }
}

const isOver = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (isOver(child)) return
  child.kill(signal)
  await once(child, 'exit')
}

/** A data folder for a part; `await using` removes it. */
export async function newFolder(): Promise<AsyncDisposable & { path: string }> {
  const made = await mkdtemp(path.join(tmpdir(), 'karvon-stress-'))
  return { path: made, [Symbol.asyncDispose]: () => rm(made, { recursive: true, force: true }) }
}

/** Signs in over the wire and answers the token. Throws, with the answer, where it is refused. */
export async function signIn(
  url: string,
  as: { username: string; password: string } = admin,
): Promise<string> {
  const answer = await fetch(`${url}/parcel/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(as),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Signing in as ${as.username} answered ${answer.status}: ${text}`)
  return (JSON.parse(text) as { access_token: string }).access_token
}
