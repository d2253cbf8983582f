import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy of the test's PostgreSQL that can stop all traffic, as if the host had lost its network. */
export interface SilentProxy {
  /** The URL of the database through the proxy. */
  url: string
  /** Stops the traffic of the present connections, and with `all` also of new ones, until `resumeTraffic`. */
  stopTraffic(all: boolean): void
  resumeTraffic(): void
  close(): void
}

export async function openSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const address = new URL(databaseUrl.replace('@/', '@localhost/'))
  const host = address.searchParams.get('host')
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer((client) => {
    const target = host?.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${address.searchParams.get('port') ?? '5432'}`)
      : connect(Number(address.port || 5432), address.hostname)
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk: Buffer) => to.write(chunk))
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.on('error', () => {})
      if (silent) from.pause()
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const proxyUrl = new URL(address)
  proxyUrl.searchParams.delete('host')
  proxyUrl.hostname = '127.0.0.1'
  proxyUrl.port = String((server.address() as AddressInfo).port)
  return {
    url: proxyUrl.href,
    stopTraffic: (all) => {
      silent = all
      for (const socket of sockets) socket.pause()
    },
    resumeTraffic: () => {
      silent = false
      for (const socket of sockets) socket.resume()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
