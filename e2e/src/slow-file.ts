import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A file that comes as slowly as the journey wants: each caller's answer stays open until it is ended. */
export interface SlowFile {
  url: string
  /** Sends a piece to whoever asks. */
  send(piece: string): void
  /** No more pieces follow. */
  end(): void
  /** How many have asked and not gone away. */
  waiting(): number
  close(): Promise<void>
}

export async function startSlowFile(name: string): Promise<SlowFile> {
  const open = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    response.writeHead(200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    })
    response.flushHeaders()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    send: (piece) => open.forEach((response) => response.write(piece)),
    end: () => open.forEach((response) => response.end()),
    waiting: () => open.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
