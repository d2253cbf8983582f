import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { OutgoingError } from '../src/platform/outgoing-http/outgoing.error.ts'
import { openOutgoing, type Outgoing, type OutgoingRequest } from '../src/platform/outgoing-http/outgoing.ts'

/** A server on all loopback addresses that counts connections. */
export interface Listener {
  port: number
  /** Connections since the start. */
  connectionCount: number
  answer: RequestListener
  close(): void
}

export async function openListener(): Promise<Listener> {
  const server = createServer((request, response) => listener.answer(request, response))
  server.on('connection', () => listener.connectionCount++)
  await new Promise<void>((resolve) => {
    server.listen(0, '::', resolve)
  })
  const listener: Listener = {
    port: (server.address() as AddressInfo).port,
    connectionCount: 0,
    answer: (_request, response) => void response.end('OK'),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return listener
}

/** Sends a request. Returns its status, or the kind and message of its error. */
export async function requestOutcome(
  outgoing: Outgoing,
  url: string,
  options: Partial<OutgoingRequest> = {},
): Promise<string> {
  try {
    return String((await outgoing.request({ method: 'GET', url, timeout: 3000, ...options })).status)
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return `${error.kind}: ${error.message}`
  }
}

/** Creates a lookup of only these names. Each lookup returns the next answer, and later ones the last. */
export function createLookup(names: Record<string, string[][]>): LookupFunction & { hostnames: string[] } {
  const hostnames: string[] = []
  const lookup: LookupFunction = (hostname, options, callback) => {
    hostnames.push(hostname)
    const answers = names[hostname] ?? []
    const addresses = answers.length > 1 ? answers.shift() : answers[0]
    const results = addresses?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (results === undefined) callback(Object.assign(new Error('Not known'), { code: 'ENOTFOUND' }), '')
    else if (options.all === true) callback(null, results)
    else callback(null, results[0]?.address ?? '', results[0]?.family)
  }
  return Object.assign(lookup, { hostnames })
}

/** Opens clients and closes them together. */
export function createOutgoingClients() {
  const clients: Outgoing[] = []
  return {
    open: (...settings: Parameters<typeof openOutgoing>): Outgoing => {
      const client = openOutgoing(...settings)
      clients.push(client)
      return client
    },
    closeAll: async (): Promise<void> => {
      for (const client of clients.splice(0)) await client.close()
    },
  }
}
