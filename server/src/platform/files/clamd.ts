import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Why a file could not be scanned. `away`: no scanner answers; `unscannable`: it answers that it cannot scan this file. */
export class ScanError extends Error {
  readonly kind: 'away' | 'unscannable' | 'gone'

  constructor(kind: ScanError['kind'], reason: string) {
    super(reason)
    this.name = 'ScanError'
    this.kind = kind
  }
}

export interface Scanner {
  /** The name of what infects the file, or null when it is clean. `signal` ends the scan. Throws {@link ScanError} alone. */
  scan(path: string, signal: AbortSignal): Promise<string | null>
}

/** Bytes of a chunk, and of an answer at the most. */
const chunkBytes = 64 * 1024
const maxAnswerBytes = 4096
/** Milliseconds for a connection to clamd; scanning itself is bounded by the caller's signal. */
const connectWithin = 5000

/** clamd at `host:port`, or at the path of a unix socket; one connection a file (man clamd, INSTREAM). */
export function openClamd(address: string): Scanner {
  return {
    async scan(path, signal) {
      const socket = connectTo(address)
      const end = () => socket.destroy()
      const timer = setTimeout(end, connectWithin)
      socket.once('connect', () => clearTimeout(timer))
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      try {
        const answer = answerOf(socket)
        const sending = pipeline(Readable.from(frames(path)), socket, { end: false }).catch(
          (error: unknown) => error as NodeJS.ErrnoException,
        )
        const text = await answer
        const failure = await sending
        if (failure?.code === 'ENOENT')
          throw new ScanError('gone', 'The stored file is not in the data folder')
        if (text === '') {
          const reason = signal.aborted ? 'The virus scanner did not answer in time' : awayOf(failure)
          throw new ScanError('away', reason)
        }
        return verdictOf(text)
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        socket.destroy()
      }
    },
  }
}

function connectTo(address: string): Socket {
  if (address.startsWith('/')) return connect({ path: address })
  const [, host = '', port] = /^(.*):(\d+)$/.exec(address) ?? []
  return connect({ host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) })
}

/** A file as clamd reads it: chunks that begin with their length, the last one of length 0. */
async function* frames(path: string): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0')
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.length)
    yield length
    yield chunk
  }
  yield Buffer.alloc(4)
}

/** The answer up to its closing zero; '' when the connection ends without a whole one. Closes the connection. */
function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('utf8')
      if (text.includes('\0') || text.length > maxAnswerBytes) socket.destroy()
    })
    // What fails is known by the missing answer.
    socket.on('error', () => {})
    socket.once('end', () => socket.destroy())
    socket.once('close', () => resolve(text.includes('\0') ? text.slice(0, text.indexOf('\0')) : ''))
  })
}

function verdictOf(text: string): string | null {
  if (text === 'stream: OK') return null
  const [, signature] = /^stream: (.+) FOUND$/.exec(text) ?? []
  if (signature !== undefined) return signature.slice(0, 200)
  if (text.includes('size limit exceeded'))
    throw new ScanError(
      'unscannable',
      'The file is larger than the virus scanner takes (StreamMaxLength of clamd)',
    )
  const shown = text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200)
  throw new ScanError('unscannable', `The virus scanner answered: ${shown}`)
}

function awayOf(failure: NodeJS.ErrnoException | void): string {
  const { code } = failure ?? {}
  return `The virus scanner does not answer${code === undefined ? '' : ` (${code})`}`
}
