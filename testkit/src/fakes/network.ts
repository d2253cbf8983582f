import { text as readBody } from 'node:stream/consumers'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pickNetworkFault, type NetworkFaults } from './network.faults.ts'
import type { NetworkStore } from './network.store.ts'
import { dialects, type NetworkDialect } from './network.dialects.ts'

/** A received request. `page` is the page of a list that it requests. */
export interface NetworkRequest {
  at: number
  path: string
  page: string | null
  status: number
}

export interface FakeNetwork {
  /** The base URL of the network's API. */
  url: string
  store: NetworkStore
  faults: NetworkFaults
  /** Oldest first. */
  readonly requests: NetworkRequest[]
  /** The issued tokens. Only the last one is valid. */
  readonly tokens: string[]
  /** Makes the current token invalid, as networks do over night. */
  forgetToken(): void
  close(): Promise<void>
}

/** The account of a fake network, and its data. */
export interface NetworkOptions {
  dialect: NetworkDialect
  store: NetworkStore
  login: string
  pass: string
  pageSize?: number
}

/**
 * Creates a handler that answers like the JSON API of a CPA network, for one account. Each request reads the current
 * orders of `store`, newest first, so pages shift while a client reads them.
 */
export function createNetworkHandler({ dialect, store, login, pass, pageSize = 50 }: NetworkOptions) {
  const network = dialects[dialect]
  const requests: NetworkRequest[] = []
  const tokens: string[] = []
  let valid: string | null = null

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://network')
    const record: NetworkRequest = {
      at: Date.now(),
      path: url.pathname,
      page: network.readPage(url),
      status: 0,
    }
    requests.push(record)
    const body = await readBody(request)
    const send = (status: number, content: unknown, headers: Record<string, string> = {}) => {
      record.status = status
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    }
    const fault = pickNetworkFault(state.faults, url.pathname === network.signInPath)
    if (fault.wait > 0) await new Promise((resolve) => setTimeout(resolve, fault.wait))
    if (fault.kind === 'drop') return void request.socket.resetAndDestroy()
    if (fault.kind === 'rate_limited') return send(429, { message: 'Too Many Attempts.' }, fault.headers)
    if (fault.kind === 'broken') return send(500, { message: 'Server Error' })
    if (fault.kind === 'garbage') return send(200, '<html><body>Please stand by</body></html>')
    if (fault.kind === 'forget_token') valid = null
    if (url.pathname === network.signInPath) {
      if (!network.isSignIn(body, login, pass)) return send(422, { message: 'Wrong login or password' })
      valid = `${tokens.length + 1}|${'t'.repeat(40)}${tokens.length}`
      tokens.push(valid)
      return send(200, network.signInAnswer(valid))
    }
    if (valid === null || !network.hasToken(request, url, valid))
      return send(401, { message: 'Unauthenticated.' })
    const content = network.answer(url, state.store, pageSize, fault.kind === 'repeat_rows')
    if (content === null) return send(404, { message: 'Not Found' })
    if (fault.kind !== 'truncated') return send(200, content)
    const text = Buffer.from(JSON.stringify(content))
    record.status = 200
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) })
    response.write(text.subarray(0, Math.floor(text.length / 2)), () => request.socket.destroy())
  }

  const state: Omit<FakeNetwork, 'url' | 'close'> = {
    store,
    faults: {},
    requests,
    tokens,
    forgetToken: () => {
      valid = null
    },
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => response.destroy())
  }
  return { state, basePath: network.basePath, onRequest }
}

/** Starts a server that acts as a network; see {@link createNetworkHandler}. */
export async function startNetwork(part: NetworkOptions): Promise<FakeNetwork> {
  const { state, basePath, onRequest } = createNetworkHandler(part)
  const server = createServer(onRequest)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}
