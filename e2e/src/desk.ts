import { spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { templateOf } from './desk.template.ts'

const main = join(import.meta.dirname, '..', '..', 'server', 'src', 'main.ts')

/** A running product: started as production starts it, in a data folder of its own. */
export interface Desk {
  url: string
  folder: string
  admin: { username: string; password: string }
  /** Everything it has printed so far. */
  printed(): string
  /** Ends it in order; the folder stays. */
  end(): Promise<void>
  /** Ends it in order and removes its folder. */
  stop(): Promise<void>
  /** kill -9 of its whole process group; the folder stays. */
  kill(): Promise<void>
}

/**
 * Starts Karvon on a free port with an embedded database, in a new folder or in that of an earlier desk;
 * resolves once it says where it listens.
 */
export async function startDesk(env: Record<string, string> = {}, earlier?: Desk): Promise<Desk> {
  const folder = earlier?.folder ?? (await mkdtemp(join(tmpdir(), 'karvon-e2e-')))
  const template = templateOf(env['KARVON_DEMO'] ?? 'off')
  if (earlier === undefined && template !== null)
    await cp(template, join(folder, 'data'), { recursive: true, preserveTimestamps: true })
  const admin = { username: 'admin', password: 'karvon-e2e-admin' }
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      KARVON_DATA: join(folder, 'data'),
      KARVON_DEMO: 'off',
      KARVON_ADMIN_PASSWORD: admin.password,
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
  return {
    url,
    folder,
    admin,
    printed: () => output,
    end: () => end(child),
    async stop() {
      await end(child)
      await rm(folder, { recursive: true, force: true })
    },
    async kill() {
      if (child.pid === undefined || child.exitCode !== null) return
      process.kill(-child.pid, 'SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
