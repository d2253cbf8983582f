import http from 'node:http'
import type { Attack } from './fuzz.attack.ts'

export interface AttackAnswer {
  status: number
  type: string
  body: string
  milliseconds: number
}

/** Bytes of an answer that are kept. */
const maxBytes = 4 * 1024 * 1024
/** Milliseconds to wait for an answer. */
const timeout = 60_000

/** Sends attacks over persistent connections. */
export class AttackSender {
  readonly #url: URL
  readonly #agent: http.Agent

  constructor(url: string, connections: number) {
    this.#url = new URL(url)
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  }

  /** Returns null if the connection closes without an answer. */
  async send(attack: Attack, token: string | null, isRetry = false): Promise<AttackAnswer | null> {
    const { method, path, headers, body } = attack
    const startTime = performance.now()
    const { hostname, port } = this.#url
    const extraHeaders = {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      // Node does not send a length for the body of a GET or HEAD by itself.
      ...(body !== null && { 'content-length': body.length }),
    }
    return new Promise((resolve) => {
      const request = http.request(
        {
          // Other idle connections may be closed too.
          agent: isRetry ? false : this.#agent,
          hostname,
          port,
          method,
          path,
          headers: { ...headers, ...extraHeaders },
          timeout,
        },
        (response) => {
          const chunks: Buffer[] = []
          let size = 0
          response.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size <= maxBytes) chunks.push(chunk)
          })
          const finish = () =>
            resolve({
              status: response.statusCode ?? 0,
              type: response.headers['content-type'] ?? '',
              body: Buffer.concat(chunks).toString(),
              milliseconds: performance.now() - startTime,
            })
          response.on('end', finish).on('error', finish)
        },
      )
      request.on('timeout', () => request.destroy(new Error('No answer')))
      request.on('error', () => {
        // The server may close an idle connection at the moment of its reuse. This is not a failure.
        resolve(request.reusedSocket && !isRetry ? this.send(attack, token, true) : null)
      })
      request.end(body ?? undefined)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
