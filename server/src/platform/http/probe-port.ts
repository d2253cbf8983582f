import { once } from 'node:events'
import { createServer } from 'node:net'

/** Throws the error of `listen`, such as EADDRINUSE, if no server can listen there now. */
export async function probePort(port: number, host: string): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
