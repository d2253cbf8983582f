import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way over TCP to the test's PostgreSQL that can go silent without an end, as a host that vanished. */
export interface SilentProxy {
  /** The database's address through it. */
  url: string
  /** Connections that there are now hear nothing any more; with `all` those to come neither, until `heal`. */
  hush(all: boolean): void
  heal(): void
  close(): void
}

export async function openSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const address = new URL(databaseUrl.replace('@/', '@localhost/'))
  const host = address.searchParams.get('host')
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer((client) => {
    const there = host?.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${address.searchParams.get('port') ?? '5432'}`)
      : connect(Number(address.port || 5432), address.hostname)
    for (const [from, to] of [
      [client, there],
      [there, client],
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
  const through = new URL(address)
  through.searchParams.delete('host')
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    hush: (all) => {
      silent = all
      for (const socket of sockets) socket.pause()
    },
    heal: () => {
      silent = false
      for (const socket of sockets) socket.resume()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
