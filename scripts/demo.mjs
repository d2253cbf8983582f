// Starts the fakes of the networks and the courier beside a demo, so that its leads and parcels change.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { root } from './install.mjs'

/**
 * Starts the fakes if the product has a demo or creates one. The fakes end with this process. Returns the environment
 * variables by which the product reaches them.
 */
export async function startDemo(node, env = process.env) {
  if (!hasDemo(env)) return {}
  // This process opens the socket, so that the product does not wait for the start of the fakes.
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
  const allowedHosts = [env.KARVON_OUTBOUND_ALLOW, address].filter(Boolean).join(',')
  return { KARVON_DEMO_NETWORKS: address, KARVON_OUTBOUND_ALLOW: allowedHosts }
}

/** True if the data folder has the demo's file, or has no database yet. The product writes the file for its demo. */
export function hasDemo(env) {
  const off = env.KARVON_DEMO?.trim().toLowerCase() === 'off'
  const otherSettings = ['DATABASE_URL', 'DATABASE_URL_FILE', 'KARVON_DEMO_NETWORKS']
  if (off || otherSettings.some((name) => env[name]?.trim())) return false
  const data = resolve(root, env.KARVON_DATA?.trim() || 'data')
  return !existsSync(join(data, 'postgres')) || existsSync(join(data, 'demo-networks'))
}
