import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Result } from 'autocannon'

export interface LoadOptions {
  url: string
  token?: string
  /** A JSON text. The requests are then POST instead of GET. */
  body?: string
  connections: number
  seconds: number
}

const autocannon = fileURLToPath(import.meta.resolve('autocannon'))

/** The result of a round of requests. Latencies are in milliseconds. */
interface LoadResult {
  requests: number
  perSecond: number
  median: number
  p99: number
}

/**
 * Sends requests from a separate process, so that they do not use the server's event loop. Throws if any answer is not
 * 2xx, because an error is faster than the work.
 */
export async function runLoad({ url, token, body, connections, seconds }: LoadOptions): Promise<LoadResult> {
  const header = token === undefined ? [] : ['-H', `authorization=Bearer ${token}`]
  const post = body === undefined ? [] : ['-m', 'POST', '-H', 'content-type=application/json', '-b', body]
  const timing = ['-c', String(connections), '-d', String(seconds)]
  const args = ['--json', '--no-progress', ...timing, ...header, ...post, url]
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
