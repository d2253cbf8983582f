import type { Socket } from 'node:net'
import type pg from 'pg'

/** What the driver has and its types leave out. */
interface Wire {
  connection: { stream: Socket; on(event: 'errorMessage', heard: (error: { code?: string }) => void): void }
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
