import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Result } from 'autocannon'

export interface Load {
  url: string
  token?: string
  connections: number
  seconds: number
}

const autocannon = fileURLToPath(import.meta.resolve('autocannon'))

/** What a round of requests came to; latencies in milliseconds. */
interface Answered {
  requests: number
  perSecond: number
  median: number
  p99: number
}

/**
 * Loads an address from a process of its own, so that making requests costs the server no event loop.
 * Throws when any answer was no 2xx: an error page is quick and measures nothing.
 */
export async function load({ url, token, connections, seconds }: Load): Promise<Answered> {
  const header = token === undefined ? [] : ['-H', `authorization=Bearer ${token}`]
  const args = ['--json', '--no-progress', '-c', String(connections), '-d', String(seconds), ...header, url]
  const child = spawn(process.execPath, [autocannon, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`autocannon ended with ${String(code)}`)
  const result = JSON.parse(output) as Result
  if (result.errors + result.timeouts + result.non2xx > 0)
    throw new Error(
      `${url}: ${result.non2xx} answers were no 2xx, ${result.errors} failed, ${result.timeouts} timed out`,
    )
  const requests = result['2xx']
  return {
    requests,
    perSecond: requests / result.duration,
    median: result.latency.p50,
    p99: result.latency.p99,
  }
}
