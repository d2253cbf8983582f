import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProcess, type NodeProcess } from './node-process.ts'

const server = join(import.meta.dirname, '..', '..', 'server')
const main = join(server, 'src', 'main.ts')
const nodeArgs = JSON.parse(readFileSync(join(server, 'node-flags.json'), 'utf8')) as string[]

/**
 * Starts the product as production starts it, on a free port, and waits until it listens. It has an embedded database
 * in `folder` unless `env` names another.
 */
export const startProduct = (folder: string, env: Record<string, string> = {}): Promise<NodeProcess> =>
  startProcess(main, {
    nodeArgs,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', KARVON_DATA: folder, KARVON_DEMO: 'off', ...env },
    detached: true,
  })
