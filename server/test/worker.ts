import { fileURLToPath } from 'node:url'
import { NodeProcess } from '@karvon/testkit/node-process.ts'
import type { Product } from './app.ts'

const programs = {
  'alert-worker': new URL('./alert-worker.ts', import.meta.url),
  'accounts-server': new URL('./accounts-server.ts', import.meta.url),
  'bot-worker': new URL('./bot-worker.ts', import.meta.url),
  'courier-worker': new URL('./courier-worker.ts', import.meta.url),
  'keyed-server': new URL('./keyed-server.ts', import.meta.url),
  'postback-sender': new URL('./postback-sender.ts', import.meta.url),
  'recount-worker': new URL('./recount-worker.ts', import.meta.url),
  'sync-worker': new URL('./sync-worker.ts', import.meta.url),
  'upload-server': new URL('./upload-server.ts', import.meta.url),
  'void-worker': new URL('./void-worker.ts', import.meta.url),
  'view-worker': new URL('./view-worker.ts', import.meta.url),
}

/**
 * Starts a program of this folder on the product's database, for tests that kill it. The address of the database is
 * its argument. It has the product's settings, and those of `env`.
 */
export function startWorker(
  program: keyof typeof programs,
  { databaseUrl, deps }: Product,
  env: Record<string, string> = {},
): NodeProcess {
  return new NodeProcess(fileURLToPath(programs[program]), {
    args: [databaseUrl],
    env: {
      ...process.env,
      KARVON_OUTBOUND_ALLOW: deps.config.outboundAllow.join(),
      KARVON_DATA: deps.config.dataFolder,
      KARVON_TIMEZONE: deps.config.timeZone,
      ...env,
    },
    stderr: 'inherit',
  })
}

/** Starts a program that serves the product, and waits until it has an address. */
export async function startTestServer(
  program: 'accounts-server' | 'keyed-server' | 'upload-server',
  product: Product,
  env?: Record<string, string>,
): Promise<NodeProcess> {
  const server = startWorker(program, product, env)
  await server.waitFor(/http\S+/)
  return server
}

export interface ServerAnswer {
  status: number
  body: string
}

/** Sends a request to a server that may be killed. Null: it was killed before its answer. */
export async function sendToServer(url: string, request: RequestInit): Promise<ServerAnswer | null> {
  try {
    const answer = await fetch(url, request)
    return { status: answer.status, body: await answer.text() }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}

/** Sync workers, each of which begins when something is written to its standard input. */
export function createSyncWorkers() {
  const workers = new Set<NodeProcess>()
  return {
    async start(product: Product): Promise<NodeProcess> {
      const worker = startWorker('sync-worker', product)
      workers.add(worker)
      await worker.waitFor(/ready/)
      return worker
    },
    async killAll(): Promise<void> {
      for (const worker of workers) await worker.kill()
      workers.clear()
    },
  }
}
