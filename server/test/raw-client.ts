import { connect, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A client that says what no library would, or says it slowly. */
export interface RawClient {
  socket: Socket
  /** What came back so far. */
  heard(): string
  closed(): boolean
}

/** Connects to a listening app and sends `text`. Nothing is read where it is `deaf`. */
export function rawClient(app: FastifyInstance, text: string | Buffer, deaf = false): RawClient {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  let closed = false
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  if (!deaf) socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')))
  if (text.length > 0) socket.write(text)
  return { socket, heard: () => heard, closed: () => closed }
}
