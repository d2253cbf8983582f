import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { OutgoingError } from '../src/platform/outgoing-http/outgoing.error.ts'
import { openOutgoing, type Outgoing, type OutgoingRequest } from '../src/platform/outgoing-http/outgoing.ts'

/** A server on every spelling of loopback, to see what arrives there. */
export interface Listener {
  port: number
  /** Connections so far. */
  arrived: number
  answer: RequestListener
  close(): void
}

export async function openListener(): Promise<Listener> {
  const server = createServer((request, response) => listener.answer(request, response))
  server.on('connection', () => listener.arrived++)
  await new Promise<void>((resolve) => {
    server.listen(0, '::', resolve)
  })
  const listener: Listener = {
    port: (server.address() as AddressInfo).port,
    arrived: 0,
    answer: (_request, response) => void response.end('OK'),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return listener
}

/** What a call ends in: its status, or the kind and message of its error. */
export async function outcome(
  of: Outgoing,
  url: string,
  more: Partial<OutgoingRequest> = {},
): Promise<string> {
  try {
    return String((await of.request({ method: 'GET', url, timeout: 3000, ...more })).status)
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return `${error.kind}: ${error.message}`
  }
}

/** A look-up that knows these names alone, each with the addresses of its look-ups in turn; the last stays. */
export function naming(names: Record<string, string[][]>): LookupFunction & { asked: string[] } {
  const asked: string[] = []
  const lookup: LookupFunction = (hostname, options, callback) => {
    asked.push(hostname)
    const turns = names[hostname] ?? []
    const addresses = turns.length > 1 ? turns.shift() : turns[0]
    const found = addresses?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (found === undefined) callback(Object.assign(new Error('Not known'), { code: 'ENOTFOUND' }), '')
    else if (options.all === true) callback(null, found)
    else callback(null, found[0]?.address ?? '', found[0]?.family)
  }
  return Object.assign(lookup, { asked })
}

/** Makes clients and closes them together. */
export function outgoings() {
  const opened: Outgoing[] = []
  return {
    open: (...settings: Parameters<typeof openOutgoing>): Outgoing => {
      const made = openOutgoing(...settings)
      opened.push(made)
      return made
    },
    closeAll: async (): Promise<void> => {
      for (const each of opened.splice(0)) await each.close()
    },
  }
}
