import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Product } from './app.ts'

const program = fileURLToPath(new URL('./sync-worker.ts', import.meta.url))

/** Processes that fetch networks until they are killed. Each begins once something is written to its standard input. */
export function syncWorkers() {
  const workers = new Set<ChildProcess>()

  /** Ends a worker by SIGKILL and waits for its end. */
  async function kill(child: ChildProcess): Promise<void> {
    workers.delete(child)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  return {
    async start({ databaseUrl, deps }: Product): Promise<ChildProcess> {
      const child = spawn(process.execPath, [program, databaseUrl], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: {
          ...process.env,
          KARVON_OUTBOUND_ALLOW: deps.config.outboundAllow.join(),
          KARVON_DATA: deps.config.dataFolder,
          KARVON_TIMEZONE: deps.config.timeZone,
        },
      })
      workers.add(child)
      await once(child.stdout, 'data')
      return child
    },
    kill,
    async killAll(): Promise<void> {
      for (const child of workers) await kill(child)
    },
  }
}
