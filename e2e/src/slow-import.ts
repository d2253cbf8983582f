import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands before another host and takes its imports into its own hands; all other calls go on to that host. */
export interface SlowImport {
  url: string
  /** Imports that arrived and whose sender has not gone away. */
  waiting(): number
  /** Begins to read the file; until then its bytes stay on their way. */
  read(): void
  /** What the progress call answers; 404 while it is undefined. */
  progress: Record<string, unknown> | undefined
  /** The keys that were asked after, and the forms that came. */
  asked: string[]
  forms: FormData[]
  answer(status: number, body: unknown): void
  /** Breaks the connection off without an answer, also when the browser tries by itself once more. */
  breakOff(): void
  close(): Promise<void>
}

export async function startSlowImport(host: string): Promise<SlowImport> {
  const open = new Set<ServerResponse>()
  let broken = false
  const reading = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    // A sender that goes away takes the rest of its file along.
    if (path.endsWith('/import/')) take(request, response).catch(() => response.destroy())
    else if (path.startsWith('/api/admin/imports/')) tell(path, response)
    else passOn(host, request, response)
  })
  async function take(request: IncomingMessage, response: ServerResponse) {
    if (broken) return void response.destroy()
    open.add(response)
    response.on('close', () => open.delete(response))
    await reading.promise
    const pieces: Buffer[] = []
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
    const kind = request.headers['content-type'] ?? ''
    self.forms.push(
      await new Response(Buffer.concat(pieces), { headers: { 'content-type': kind } }).formData(),
    )
  }
  function tell(path: string, response: ServerResponse) {
    self.asked.push(path.split('/').at(-2) ?? '')
    response.writeHead(self.progress ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(self.progress ?? { detail: 'Not Found' }))
  }
  const self: SlowImport = {
    url: '',
    progress: undefined,
    asked: [],
    forms: [],
    waiting: () => open.size,
    read: () => reading.resolve(),
    answer: (status, body) =>
      open.forEach((response) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      ),
    breakOff: () => {
      broken = true
      open.forEach((response) => response.destroy())
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return self
}

function passOn(host: string, request: IncomingMessage, response: ServerResponse) {
  const { method, headers, url } = request
  const next = ask(`${host}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  next.on('error', () => response.destroy())
  request.pipe(next)
}
