// The fakes of the networks and the courier, beside a demo: its leads and parcels move as one watches.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { root } from './install.mjs'

/**
 * Starts them where the product has a demo, or is about to fill one; a desk without it is left alone. They end with
 * this process. Answers what the product's environment needs to reach them.
 */
export async function startDemo(node, env = process.env) {
  if (!hasDemo(env)) return {}
  // Listening here at once, so that the product's start need not wait for theirs.
  const server = createServer().listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return {}
  }
  const address = `127.0.0.1:${server.address().port}`
  const main = join(root, 'testkit', 'src', 'fakes', 'main.ts')
  const child = spawn(node, [main], { cwd: root, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  child.on('error', (error) => console.error(`The demo's networks did not start: ${error.message}`))
  child.send('listen', server, () => server.close())
  child.unref()
  child.channel?.unref()
  const allowed = [env.KARVON_OUTBOUND_ALLOW, address].filter(Boolean).join(',')
  return { KARVON_DEMO_NETWORKS: address, KARVON_OUTBOUND_ALLOW: allowed }
}

/** The product leaves a file beside a demo whose accounts lead here; a folder without a database gets one. */
export function hasDemo(env) {
  const off = env.KARVON_DEMO?.trim().toLowerCase() === 'off'
  if (off || env.DATABASE_URL?.trim() || env.KARVON_DEMO_NETWORKS?.trim()) return false
  const data = resolve(root, env.KARVON_DATA?.trim() || 'data')
  return !existsSync(join(data, 'postgres')) || existsSync(join(data, 'demo-networks'))
}
