import { connect, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { ClientTimeouts } from '../src/config.clients.ts'

/** The timeouts of slow clients, for `createTestApp`. In production they are minutes. */
export const shortClientTimeouts: ClientTimeouts = {
  checkInterval: 50,
  headers: 500,
  request: 60_000,
  body: { interval: 500, bytes: 100 },
  response: { interval: 3000, bytes: 1000 },
}

/** A TCP client for malformed or slow requests. */
export interface RawClient {
  socket: Socket
  /** The received text. */
  getReceived(): string
  isClosed(): boolean
}

/** Connects to a listening app and sends `text`. A paused client reads nothing. */
export function connectRawClient(app: FastifyInstance, text: string | Buffer, isPaused = false): RawClient {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let isClosed = false
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  if (!isPaused) socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  if (text.length > 0) socket.write(text)
  return { socket, getReceived: () => received, isClosed: () => isClosed }
}
