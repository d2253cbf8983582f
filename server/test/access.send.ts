import { Agent, request } from 'node:http'

export interface Answer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: string
}

/** One request as it goes over the wire. `target` is sent as it stands: nothing makes an address tidy on the way. */
export interface Sent {
  method: string
  target: string
  headers?: Record<string, string>
  body?: string
}

export type SendAs = (sent: Sent) => Promise<Answer>

/** Sends over real connections to the server at `url`, some at once. Call `close` after the last. */
export function openSender(url: string): { send: SendAs; close(): void } {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const send: SendAs = ({ method, target, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      // A length that is not kept spoils the connection for the next request.
      const own = headers['content-length'] === undefined ? agent : false
      const sized = {
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      }
      const asked = request(
        { agent: own, hostname, port, method, path: target, headers: sized },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          answer.on('end', () => {
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text })
            if (own === false) asked.destroy()
          })
          answer.on('error', reject)
        },
      )
      asked.on('error', reject)
      asked.end(body)
    })
  return { send, close: () => agent.destroy() }
}

/** Does `work` for each, a few at once, and answers what it found. */
export async function eachAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const found: R[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      // oxlint-disable-next-line no-await-in-loop -- some workers share one queue
      if (item !== undefined) found[at] = await work(item)
    }
  }
  await Promise.all(Array.from({ length: 6 }, worker))
  return found
}
