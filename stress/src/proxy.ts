import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A stable address in front of servers that change. */
export interface Proxy {
  port: number
  /** Sets the target of new connections. Null refuses them. */
  route(port: number | null): void
  /** Ends all connections. */
  closeConnections(): void
  /** Stops the traffic of the present connections for good, as if the machine had lost power. */
  freeze(): void
  /** Stops the traffic of all present and new connections, or resumes it. */
  setSilent(isOn: boolean): void
  close: () => Promise<void>
}

interface Pair {
  client: Socket
  server: Socket
  isFrozen: boolean
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startProxy(target: number): Promise<Proxy> {
  const pairs = new Set<Pair>()
  let targetPort: number | null = target
  let isSilent = false

  const closePair = (pair: Pair) => {
    pairs.delete(pair)
    pair.client.destroy()
    pair.server.destroy()
  }
  const pausePair = ({ client, server }: Pair) => {
    client.pause()
    server.pause()
  }
  const forward = (from: Socket, to: Socket, pair: Pair) => {
    from.on('data', (chunk: Buffer) => {
      if (!to.write(chunk) && !to.destroyed) from.pause()
    })
    to.on('drain', () => {
      if (!isSilent && !pair.isFrozen) from.resume()
    })
    // A frozen connection must not see the end of the other side.
    from.on('close', () => pair.isFrozen || closePair(pair))
    from.on('error', () => {})
  }
  const server = createServer((client) => {
    if (targetPort === null) {
      client.on('error', () => {})
      client.resetAndDestroy()
      return
    }
    const pair: Pair = { client, server: connect(targetPort, '127.0.0.1'), isFrozen: false }
    pairs.add(pair)
    forward(client, pair.server, pair)
    forward(pair.server, client, pair)
    if (isSilent) pausePair(pair)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    route: (port) => (targetPort = port),
    closeConnections: () => [...pairs].forEach(closePair),
    freeze: () => {
      for (const pair of pairs) {
        pair.isFrozen = true
        pausePair(pair)
      }
    },
    setSilent: (isOn) => {
      isSilent = isOn
      for (const pair of pairs) {
        if (pair.isFrozen) continue
        if (isOn) pausePair(pair)
        else {
          pair.client.resume()
          pair.server.resume()
        }
      }
    },
    close: async () => {
      ;[...pairs].forEach(closePair)
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
