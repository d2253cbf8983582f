import type { Socket } from 'node:net'
import type pg from 'pg'

/** The part of a stream that the driver uses to read messages. */
interface ReadStream {
  on(event: string, listener: (chunk: Buffer) => void): void
}

/** Fields of the driver that its types do not declare, or declare as read-only. */
interface Wire {
  host: string
  port: number
  ssl: unknown
  connection: {
    ssl: unknown
    stream: Socket
    on(event: 'errorMessage', listener: (error: { code?: string }) => void): void
    attachListeners(stream: ReadStream): void
  }
  /** False while a statement runs. */
  readyForQuery: boolean
  /** The pid of the backend; null before the client is connected. */
  processID: number | null
}

const getWire = (client: pg.ClientBase): Wire => client as unknown as Wire

/** Sets where a client will connect to, and its TLS. Call this before `connect`. */
export function setConnectionTarget(
  client: pg.ClientBase,
  { host, port, ssl }: { host: string; port: number; ssl: unknown },
): void {
  const wire = getWire(client)
  Object.assign(wire, { host, port, ssl })
  wire.connection.ssl = ssl
}

/** Closes a connection at once. Its statements fail with "Connection terminated", and the pool removes it. */
export function destroyConnection(client: pg.ClientBase): void {
  getWire(client).connection.stream.destroy()
}

/** One message of PostgreSQL, usually a row, is larger than the limit. */
export class MessageTooLargeError extends Error {
  constructor(bytes: number, maxBytes: number) {
    super(`A message of the database has ${bytes} bytes; at most ${maxBytes} are read`)
    this.name = 'MessageTooLargeError'
  }
}

/**
 * Closes the connection when the driver cannot read an answer, so that the statement fails. Otherwise the exception of
 * the driver would end the process. A message above `maxBytes` is refused before it is buffered.
 */
export function failOnUnreadableAnswer(client: pg.ClientBase, maxBytes: number): void {
  const { connection } = getWire(client)
  const attach = connection.attachListeners.bind(connection)
  connection.attachListeners = (stream) => {
    const measure = createMessageMeter(maxBytes)
    attach({
      on: (event, listener) =>
        stream.on(event, (chunk) => {
          try {
            if (event === 'data') measure(chunk)
            listener(chunk)
          } catch (error) {
            connection.stream.destroy(error as Error)
          }
        }),
    })
  }
}

/** The header of a message: one byte for its type, and four for the length of the rest, which includes these four. */
const headerBytes = 5

/** Reads the headers of all messages in a stream, and throws for a message above `maxBytes`. */
function createMessageMeter(maxBytes: number): (chunk: Buffer) => void {
  const header = Buffer.alloc(headerBytes)
  let headerBytesRead = 0
  let bodyLeft = 0
  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (bodyLeft > 0) {
        const passedBytes = Math.min(bodyLeft, chunk.length - at)
        bodyLeft -= passedBytes
        at += passedBytes
        continue
      }
      const copiedBytes = chunk.copy(header, headerBytesRead, at, at + headerBytes - headerBytesRead)
      headerBytesRead += copiedBytes
      at += copiedBytes
      if (headerBytesRead < headerBytes) return
      headerBytesRead = 0
      const length = header.readUInt32BE(1)
      if (length > maxBytes) throw new MessageTooLargeError(length, maxBytes)
      bodyLeft = Math.max(length - 4, 0)
    }
  }
}

// read_only_sql_transaction: the server is a standby, or has become one.
const readOnlyCode = '25006'

/** Closes the connection to a read-only server. The next connection may find the new primary. */
export function destroyWhenReadOnly(client: pg.ClientBase): void {
  getWire(client).connection.on('errorMessage', ({ code }) => {
    // The statement fails first, with this error.
    if (code === readOnlyCode) setImmediate(() => destroyConnection(client))
  })
}

/** Bytes received so far, while a statement runs; null without one. */
export function getBytesReceived(client: pg.ClientBase): number | null {
  const { connection, readyForQuery } = getWire(client)
  return readyForQuery ? null : connection.stream.bytesRead
}

/** All bytes that a connection received so far. */
export const countBytesReceived = (client: pg.ClientBase): number =>
  getWire(client).connection.stream.bytesRead

export const getBackendPid = (client: pg.ClientBase): number => getWire(client).processID ?? 0
