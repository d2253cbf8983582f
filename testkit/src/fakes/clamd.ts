import { createServer, type Socket } from 'node:net'
import { findFreePort } from '../free-port.ts'

/**
 * The behaviour of the fake. `ok`; `hang` never answers; `drop` drops the connection after the file; `full` refuses every
 * file as too large before it is complete; `error` answers with a failure.
 */
type ClamdMode = 'ok' | 'hang' | 'drop' | 'full' | 'error'

export interface FakeClamd {
  /** The value for KARVON_CLAMAV. */
  address: string
  mode: ClamdMode
  /** Milliseconds before an answer. */
  delay: number
  /** The sizes of the complete files in bytes, oldest first. */
  readonly sizes: number[]
  /** The number of open connections. */
  readonly open: number
  /** Stops the server. `listen` starts it again at the same address. */
  stop(): Promise<void>
  listen(): Promise<void>
}

/** The content of the EICAR test file. Every virus scanner reports it as a virus. */
export const eicar = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`
export const eicarSignature = 'Eicar-Signature'

/** Starts a clamd on loopback, or on the unix socket `path`. It supports INSTREAM and finds one virus. */
export async function startClamd(path?: string): Promise<FakeClamd> {
  const sockets = new Set<Socket>()
  const port = await findFreePort()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serve(socket, fake)
  })
  const fake: FakeClamd = {
    address: path ?? `127.0.0.1:${port}`,
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
  await fake.listen()
  return fake
}

const command = 'zINSTREAM\0'

function serve(socket: Socket, fake: FakeClamd): void {
  let received = Buffer.alloc(0)
  const answer = (text: string) => void setTimeout(() => socket.end(`${text}\0`), fake.delay)
  socket.on('data', (piece: Buffer) => {
    received = Buffer.concat([received, piece])
    if (received.length < command.length) return
    if (!received.subarray(0, command.length).equals(Buffer.from(command))) return answer('UNKNOWN COMMAND')
    if (fake.mode === 'full') return answer('INSTREAM size limit exceeded. ERROR')
    const content = joinChunks(received.subarray(command.length))
    if (content === null) return
    fake.sizes.push(content.length)
    if (fake.mode === 'hang') return
    if (fake.mode === 'drop') return void socket.resetAndDestroy()
    if (fake.mode === 'error') return answer('stream: Heuristics failed ERROR')
    answer(content.includes(eicar) ? `stream: ${eicarSignature} FOUND` : 'stream: OK')
  })
}

/** The joined content of the chunks; null before the last chunk. */
function joinChunks(chunks: Buffer): Buffer | null {
  const parts: Buffer[] = []
  for (let at = 0; at + 4 <= chunks.length;) {
    const length = chunks.readUInt32BE(at)
    if (length === 0) return Buffer.concat(parts)
    parts.push(chunks.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}
