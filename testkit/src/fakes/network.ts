import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { troubleOf, type NetworkFaults } from './network.faults.ts'
import type { NetworkBook } from './network.book.ts'
import { shapes, type NetworkShape } from './network.shapes.ts'

/** One request as it came; `page` is what it asked for of a list. */
export interface NetworkHit {
  at: number
  path: string
  page: string | null
  status: number
}

export interface FakeNetwork {
  /** What stands before the network's own paths. */
  url: string
  book: NetworkBook
  faults: NetworkFaults
  /** Oldest first. */
  readonly hits: NetworkHit[]
  /** Tokens given so far; the last one is the one that counts. */
  readonly tokens: string[]
  /** Makes the present token worthless, as a network does over night. */
  forgetToken(): void
  close(): Promise<void>
}

/** The account that a fake knows, and what it has. */
export interface NetworkPart {
  shape: NetworkShape
  book: NetworkBook
  login: string
  pass: string
  pageSize?: number
}

/**
 * Speaks the JSON API of a CPA network in one of its shapes, for one account. Orders come from `book` at the
 * moment of each request, newest first, so that pages shift while they are read.
 */
export function playNetwork({ shape, book, login, pass, pageSize = 50 }: NetworkPart) {
  const speaks = shapes[shape]
  const hits: NetworkHit[] = []
  const tokens: string[] = []
  let valid: string | null = null

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://network')
    const hit: NetworkHit = { at: Date.now(), path: url.pathname, page: speaks.pageOf(url), status: 0 }
    hits.push(hit)
    const body = await textOf(request)
    const send = (status: number, content: unknown, headers: Record<string, string> = {}) => {
      hit.status = status
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    }
    const trouble = troubleOf(stand.faults, url.pathname === speaks.signInPath)
    if (trouble.wait > 0) await new Promise((resolve) => setTimeout(resolve, trouble.wait))
    if (trouble.kind === 'drop') return void request.socket.resetAndDestroy()
    if (trouble.kind === 'asked_to_wait') return send(429, { message: 'Too Many Attempts.' }, trouble.headers)
    if (trouble.kind === 'broken') return send(500, { message: 'Server Error' })
    if (trouble.kind === 'garbage') return send(200, '<html><body>Please stand by</body></html>')
    if (trouble.kind === 'forget') valid = null
    if (url.pathname === speaks.signInPath) {
      if (!speaks.signsIn(body, login, pass)) return send(422, { message: 'Wrong login or password' })
      valid = `${tokens.length + 1}|${'t'.repeat(40)}${tokens.length}`
      tokens.push(valid)
      return send(200, speaks.signedIn(valid))
    }
    if (valid === null || !speaks.carries(request, url, valid))
      return send(401, { message: 'Unauthenticated.' })
    const content = speaks.answer(url, stand.book, pageSize, trouble.kind === 'repeat')
    if (content === null) return send(404, { message: 'Not Found' })
    if (trouble.kind !== 'half') return send(200, content)
    const text = Buffer.from(JSON.stringify(content))
    hit.status = 200
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) })
    response.write(text.subarray(0, Math.floor(text.length / 2)), () => request.socket.destroy())
  }

  const stand: Omit<FakeNetwork, 'url' | 'close'> = {
    book,
    faults: {},
    hits,
    tokens,
    forgetToken: () => {
      valid = null
    },
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => response.destroy())
  }
  return { stand, base: speaks.base, onRequest }
}

/** A small server of its own that plays a network; see {@link playNetwork}. */
export async function startNetwork(part: NetworkPart): Promise<FakeNetwork> {
  const { stand, base, onRequest } = playNetwork(part)
  const server = createServer(onRequest)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return Object.assign(stand, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
