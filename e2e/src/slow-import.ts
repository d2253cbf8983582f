import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy of a host that answers imports itself and forwards all other calls. */
export interface SlowImport {
  url: string
  /** Imports with an open connection. */
  countOpen(): number
  /** Starts to read the files of imports. */
  startReading(): void
  /** The answer of the progress call. Undefined: 404. */
  progress: Record<string, unknown> | undefined
  /** Keys of progress calls, and received forms. */
  progressKeys: string[]
  forms: FormData[]
  answer(status: number, body: unknown): void
  /** Closes the connections without an answer, also when the browser repeats the request. */
  abort(): void
  close(): Promise<void>
}

export async function startSlowImport(host: string): Promise<SlowImport> {
  const open = new Set<ServerResponse>()
  let isAborted = false
  const reading = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    // The sender may abort during its file.
    if (path.endsWith('/import/')) receiveImport(request, response).catch(() => response.destroy())
    else if (path.startsWith('/api/admin/imports/')) answerProgress(path, response)
    else forward(host, request, response)
  })
  async function receiveImport(request: IncomingMessage, response: ServerResponse) {
    if (isAborted) return void response.destroy()
    open.add(response)
    response.on('close', () => open.delete(response))
    await reading.promise
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const kind = request.headers['content-type'] ?? ''
    slowImport.forms.push(
      await new Response(Buffer.concat(chunks), { headers: { 'content-type': kind } }).formData(),
    )
  }
  function answerProgress(path: string, response: ServerResponse) {
    slowImport.progressKeys.push(path.split('/').at(-2) ?? '')
    response.writeHead(slowImport.progress ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(slowImport.progress ?? { detail: 'Not Found' }))
  }
  const slowImport: SlowImport = {
    url: '',
    progress: undefined,
    progressKeys: [],
    forms: [],
    countOpen: () => open.size,
    startReading: () => reading.resolve(),
    answer: (status, body) =>
      open.forEach((response) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      ),
    abort: () => {
      isAborted = true
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
  slowImport.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return slowImport
}

function forward(host: string, request: IncomingMessage, response: ServerResponse) {
  const { method, headers, url } = request
  const next = ask(`${host}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  next.on('error', () => response.destroy())
  request.pipe(next)
}
