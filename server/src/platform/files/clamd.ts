import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Why a file was not scanned. `away`: the scanner does not answer. `unscannable`: clamd cannot scan this file. `gone`:
 * the file is missing.
 */
export class ScanError extends Error {
  readonly kind: 'away' | 'unscannable' | 'gone'

  constructor(kind: ScanError['kind'], reason: string) {
    super(reason)
    this.name = 'ScanError'
    this.kind = kind
  }
}

export interface Scanner {
  /** The name of the virus, or null for a clean file. `signal` aborts the scan. Throws only {@link ScanError}. */
  scan(path: string, signal: AbortSignal): Promise<string | null>
}

/** Bytes. */
const chunkBytes = 64 * 1024
const maxAnswerBytes = 4096
/** Milliseconds. The signal of the caller limits the scan itself. */
const connectTimeout = 5000

/** Opens a client of clamd at `host:port` or a Unix socket, with one connection for each file (man clamd, INSTREAM). */
export function openClamd(address: string): Scanner {
  return {
    async scan(path, signal) {
      const socket = connectTo(address)
      const end = () => socket.destroy()
      const timer = setTimeout(end, connectTimeout)
      socket.once('connect', () => clearTimeout(timer))
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      try {
        const answer = readAnswer(socket)
        const sending = pipeline(Readable.from(encodeFrames(path)), socket, { end: false }).catch(
          (error: NodeJS.ErrnoException) => {
            // The scanner would wait for the rest of the file until its own timeout.
            if (error.syscall === 'open') end()
            return error
          },
        )
        const text = await answer
        const failure = await sending
        if (failure?.code === 'ENOENT')
          throw new ScanError('gone', 'The stored file is not in the data folder')
        if (text === '') {
          const reason = signal.aborted
            ? 'The virus scanner did not answer in time'
            : describeUnavailability(failure)
          throw new ScanError('away', reason)
        }
        return parseSignature(text)
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

/** The format of clamd: each chunk has its length before it, and the last one has length 0. */
async function* encodeFrames(path: string): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0')
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.length)
    yield length
    yield chunk
  }
  yield Buffer.alloc(4)
}

/** Reads the answer up to its final zero byte, and closes the connection. Returns '' for an incomplete answer. */
function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (text.includes('\0') || text.length > maxAnswerBytes) socket.destroy()
    })
    // The incomplete answer reports the failure.
    socket.on('error', () => {})
    socket.once('end', () => socket.destroy())
    socket.once('close', () => resolve(text.includes('\0') ? text.slice(0, text.indexOf('\0')) : ''))
  })
}

function parseSignature(text: string): string | null {
  if (text === 'stream: OK') return null
  const [, signature] = /^stream: (.+) FOUND$/.exec(text) ?? []
  if (signature !== undefined) return signature.slice(0, 200)
  if (text.includes('size limit exceeded'))
    throw new ScanError(
      'unscannable',
      'The file is larger than the virus scanner accepts (StreamMaxLength of clamd)',
    )
  const printable = text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200)
  throw new ScanError('unscannable', `The virus scanner answered: ${printable}`)
}

function describeUnavailability(failure: NodeJS.ErrnoException | void): string {
  const { code } = failure ?? {}
  return `The virus scanner does not answer${code === undefined ? '' : ` (${code})`}`
}
