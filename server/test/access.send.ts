import { Agent, request } from 'node:http'

export interface Answer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: string
}

/** An HTTP request. `target` is sent without normalization. */
export interface RawRequest {
  method: string
  target: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export type SendRequest = (request: RawRequest) => Promise<Answer>

/** Sends requests over parallel connections to the server at `url`. Call `close` after the last. */
export function openSender(url: string): { send: SendRequest; close(): void } {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const send: SendRequest = ({ method, target, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      // After a wrong length the connection cannot be reused.
      const requestAgent = headers['content-length'] === undefined ? agent : false
      const sizedHeaders = {
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      }
      const clientRequest = request(
        { agent: requestAgent, hostname, port, method, path: target, headers: sizedHeaders },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          answer.on('end', () => {
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text })
            if (requestAgent === false) clientRequest.destroy()
          })
          answer.on('error', reject)
        },
      )
      clientRequest.on('error', reject)
      clientRequest.end(body)
    })
  return { send, close: () => agent.destroy() }
}

/** Runs the callback for each item, a few at a time, and returns the results. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  callback: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      // oxlint-disable-next-line no-await-in-loop -- some workers share one queue
      if (item !== undefined) results[index] = await callback(item)
    }
  }
  await Promise.all(Array.from({ length: 6 }, worker))
  return results
}
