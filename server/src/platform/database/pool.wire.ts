import type { Socket } from 'node:net'
import type pg from 'pg'

/** What the driver uses of a connection's stream to read messages. */
interface ReadStream {
  on(event: string, listener: (chunk: Buffer) => void): void
}

/** What the driver has and its types leave out. */
interface Wire {
  connection: {
    stream: Socket
    on(event: 'errorMessage', heard: (error: { code?: string }) => void): void
    attachListeners(stream: ReadStream): void
  }
  /** False while a statement is under way. */
  readyForQuery: boolean
  /** Of the backend; null before it is connected. */
  processID: number | null
}

const wireOf = (client: pg.ClientBase): Wire => client as unknown as Wire

/** Ends a connection at once: what waits on it fails with "Connection terminated", and its pool forgets it. */
export function cut(client: pg.ClientBase): void {
  wireOf(client).connection.stream.destroy()
}

/** PostgreSQL sent one message, which may be a row, that has more bytes than are read. */
export class MessageTooLarge extends Error {
  constructor(bytes: number, most: number) {
    super(`A message of the database has ${bytes} bytes; at most ${most} are read`)
    this.name = 'MessageTooLarge'
  }
}

/**
 * Fails the statement where the driver cannot read its answer. What the driver throws while it reads would reach
 * nobody and end the process: the connection is ended with that error instead. A message above `most` bytes is refused
 * before it is kept.
 */
export function failUnreadable(client: pg.ClientBase, most: number): void {
  const { connection } = wireOf(client)
  const attach = connection.attachListeners.bind(connection)
  connection.attachListeners = (stream) => {
    const measure = messageMeter(most)
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

/** A message has one byte that says its kind, and four that say how long the rest is, themselves included. */
const headBytes = 5

/** Follows the messages of a stream by their heads, and throws where one is longer than `most` bytes. */
function messageMeter(most: number): (chunk: Buffer) => void {
  const head = Buffer.alloc(headBytes)
  let headRead = 0
  let bodyLeft = 0
  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (bodyLeft > 0) {
        const passed = Math.min(bodyLeft, chunk.length - at)
        bodyLeft -= passed
        at += passed
        continue
      }
      const copied = chunk.copy(head, headRead, at, at + headBytes - headRead)
      headRead += copied
      at += copied
      if (headRead < headBytes) return
      headRead = 0
      const length = head.readUInt32BE(1)
      if (length > most) throw new MessageTooLarge(length, most)
      bodyLeft = Math.max(length - 4, 0)
    }
  }
}

// read_only_sql_transaction: a standby, or a primary that became one.
const readOnly = '25006'

/** A connection to a server that takes no changes is no good: the next one may find the new primary. */
export function cutWhenReadOnly(client: pg.ClientBase): void {
  wireOf(client).connection.on('errorMessage', ({ code }) => {
    // After whoever asked was told so.
    if (code === readOnly) setImmediate(() => cut(client))
  })
}

/** How many bytes came, while a statement is under way; null while none is. */
export function heardOf(client: pg.ClientBase): number | null {
  const { connection, readyForQuery } = wireOf(client)
  return readyForQuery ? null : connection.stream.bytesRead
}

export const backendOf = (client: pg.ClientBase): number => wireOf(client).processID ?? 0
