import { createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * How the fake behaves: `ok`; `hang` never answers; `drop` cuts the connection once the file is there; `full` refuses
 * every file as larger than it takes, as soon as it begins; `error` answers that it failed.
 */
type ClamdMode = 'ok' | 'hang' | 'drop' | 'full' | 'error'

export interface FakeClamd {
  /** For KARVON_CLAMAV. */
  address: string
  mode: ClamdMode
  /** Milliseconds before an answer. */
  delay: number
  /** Sizes in bytes of the files that came whole, oldest first. */
  readonly sizes: number[]
  /** Connections that are open. */
  readonly open: number
  /** Closes it as if it had ended; `listen` brings it back at the same address. */
  stop(): Promise<void>
  listen(): Promise<void>
}

/** What the EICAR test file holds: every virus scanner takes it for a virus. */
export const eicar = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`
export const eicarSignature = 'Eicar-Signature'

/** A clamd on loopback, or on a unix socket, that knows INSTREAM and one virus. */
export async function startClamd(path?: string): Promise<FakeClamd> {
  const sockets = new Set<Socket>()
  let port = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serve(socket, stand)
  })
  const stand: FakeClamd = {
    address: '',
    mode: 'ok',
    delay: 0,
    sizes: [],
    get open() {
      return sockets.size
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(path === undefined ? { host: '127.0.0.1', port } : { path }, resolve)
      }),
  }
  await stand.listen()
  if (path === undefined) port = (server.address() as AddressInfo).port
  stand.address = path ?? `127.0.0.1:${port}`
  return stand
}

const command = 'zINSTREAM\0'

function serve(socket: Socket, stand: FakeClamd): void {
  let received = Buffer.alloc(0)
  const answer = (text: string) => void setTimeout(() => socket.end(`${text}\0`), stand.delay)
  socket.on('data', (piece: Buffer) => {
    received = Buffer.concat([received, piece])
    if (received.length < command.length) return
    if (!received.subarray(0, command.length).equals(Buffer.from(command))) return answer('UNKNOWN COMMAND')
    if (stand.mode === 'full') return answer('INSTREAM size limit exceeded. ERROR')
    const content = contentOf(received.subarray(command.length))
    if (content === null) return
    stand.sizes.push(content.length)
    if (stand.mode === 'hang') return
    if (stand.mode === 'drop') return void socket.resetAndDestroy()
    if (stand.mode === 'error') return answer('stream: Heuristics failed ERROR')
    answer(content.includes(eicar) ? `stream: ${eicarSignature} FOUND` : 'stream: OK')
  })
}

/** What the chunks hold together; null until the closing one is there. */
function contentOf(chunks: Buffer): Buffer | null {
  const parts: Buffer[] = []
  for (let at = 0; at + 4 <= chunks.length;) {
    const length = chunks.readUInt32BE(at)
    if (length === 0) return Buffer.concat(parts)
    parts.push(chunks.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}
