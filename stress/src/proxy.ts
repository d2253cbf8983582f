import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The address that clients keep, whatever becomes of the servers behind it. */
export interface Proxy {
  port: number
  /** Where new connections lead from now on; null refuses them. */
  lead(port: number | null): void
  /** Ends all connections. */
  cut(): void
  /** All connections go silent for good, as those to a machine whose plug was pulled. New ones are not concerned. */
  freeze(): void
  /** Old and new connections are silent until this is undone. */
  silence(on: boolean): void
  close: () => Promise<void>
}

interface Pair {
  client: Socket
  server: Socket
  frozen: boolean
}

/** A proxy on a free port of 127.0.0.1. */
export async function newProxy(target: number): Promise<Proxy> {
  const pairs = new Set<Pair>()
  let leads: number | null = target
  let silent = false

  const end = (pair: Pair) => {
    pairs.delete(pair)
    pair.client.destroy()
    pair.server.destroy()
  }
  const hush = ({ client, server }: Pair) => {
    client.pause()
    server.pause()
  }
  const pass = (from: Socket, to: Socket, pair: Pair) => {
    from.on('data', (chunk: Buffer) => {
      if (!to.write(chunk) && !to.destroyed) from.pause()
    })
    to.on('drain', () => {
      if (!silent && !pair.frozen) from.resume()
    })
    // Whoever is frozen hears of no end either.
    from.on('close', () => pair.frozen || end(pair))
    from.on('error', () => {})
  }
  const server = createServer((client) => {
    if (leads === null) {
      client.on('error', () => {})
      client.resetAndDestroy()
      return
    }
    const pair: Pair = { client, server: connect(leads, '127.0.0.1'), frozen: false }
    pairs.add(pair)
    pass(client, pair.server, pair)
    pass(pair.server, client, pair)
    if (silent) hush(pair)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    lead: (port) => (leads = port),
    cut: () => [...pairs].forEach(end),
    freeze: () => {
      for (const pair of pairs) {
        pair.frozen = true
        hush(pair)
      }
    },
    silence: (on) => {
      silent = on
      for (const pair of pairs) {
        if (pair.frozen) continue
        if (on) hush(pair)
        else {
          pair.client.resume()
          pair.server.resume()
        }
      }
    },
    close: async () => {
      ;[...pairs].forEach(end)
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
