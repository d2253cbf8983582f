import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of a slow download. Each answer stays open until `end`. */
export interface SlowFile {
  url: string
  /** Sends a chunk to each open answer. */
  send(chunk: string): void
  /** Ends each open answer. */
  end(): void
  /** Open answers. */
  countOpen(): number
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
    send: (chunk) => open.forEach((response) => response.write(chunk)),
    end: () => open.forEach((response) => response.end()),
    countOpen: () => open.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
