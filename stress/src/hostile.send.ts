import http from 'node:http'
import type { Attack } from './hostile.attack.ts'

/** What came back. */
export interface Answer {
  status: number
  type: string
  body: string
  milliseconds: number
}

/** Bytes of an answer that are read; a download's rest is left. */
const most = 4 * 1024 * 1024
/** Milliseconds after which an answer is no longer waited for. */
const patience = 60_000

/** Sends attacks over a few connections that stay open. */
export class Sender {
  readonly #url: URL
  readonly #agent: http.Agent

  constructor(url: string, connections: number) {
    this.#url = new URL(url)
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  }

  /** Null where the connection was closed without an answer, as it may be for a body that was cut off. */
  async send(attack: Attack, token: string | null, again = false): Promise<Answer | null> {
    const { method, path, headers, body } = attack
    const started = performance.now()
    const { hostname, port } = this.#url
    const more = {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      // Without it nobody would know where the body of a GET or a HEAD ends.
      ...(body !== null && { 'content-length': body.length }),
    }
    return new Promise((resolve) => {
      const request = http.request(
        {
          agent: this.#agent,
          hostname,
          port,
          method,
          path,
          headers: { ...headers, ...more },
          timeout: patience,
        },
        (response) => {
          const chunks: Buffer[] = []
          let size = 0
          response.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size <= most) chunks.push(chunk)
          })
          const done = () =>
            resolve({
              status: response.statusCode ?? 0,
              type: response.headers['content-type'] ?? '',
              body: Buffer.concat(chunks).toString(),
              milliseconds: performance.now() - started,
            })
          response.on('end', done).on('error', done)
        },
      )
      request.on('timeout', () => request.destroy(new Error('No answer')))
      request.on('error', () => {
        // The server may end an idle connection just when it is used again: that is no answer's fault.
        resolve(request.reusedSocket && !again ? this.send(attack, token, true) : null)
      })
      request.end(body ?? undefined)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
