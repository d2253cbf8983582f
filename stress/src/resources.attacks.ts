import type { Socket } from 'node:net'

/** The message to an attacker process. `attackIndex` is the index in the list and part of its addresses. */
export interface FloodTask {
  url: string
  attackIndex: number
  connections: number
  token: string
}

interface Attack {
  name: string
  start: (socket: Socket, token: string) => void
}

const buildHead = (method: string, path: string, furtherHeaders: readonly string[] = []) =>
  [`${method} ${path} HTTP/1.1`, 'host: karvon', ...furtherHeaders, '', ''].join('\r\n')
const buildAuthorization = (token: string) => `authorization: Bearer ${token}`
const repeatWrite = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), 20)
  socket.once('close', () => clearInterval(timer))
}
const buildUpload = (token: string) =>
  `${buildHead('POST', '/api/parcel/files/upload/', [buildAuthorization(token), 'content-type: multipart/form-data; boundary=x', 'content-length: 5000'])}--x\r\n`

export const attacks: readonly Attack[] = [
  {
    name: 'probes in a pipeline',
    start: (socket) => repeatWrite(socket, buildHead('GET', '/readyz').repeat(30)),
  },
  {
    name: 'metrics in a pipeline',
    start: (socket) => repeatWrite(socket, buildHead('GET', '/metrics').repeat(10)),
  },
  {
    name: 'slow anonymous bodies',
    start: (socket) => {
      const furtherHeaders = ['content-type: application/json', 'content-length: 1000000']
      socket.write(buildHead('POST', '/parcel/auth/login', furtherHeaders))
      repeatWrite(socket, 'x'.repeat(50))
    },
  },
  {
    name: 'invalid tokens',
    start: (socket) =>
      repeatWrite(
        socket,
        buildHead('GET', '/api/parcel/parcels/all', [buildAuthorization(`invalid-${Math.random()}`)]).repeat(
          4,
        ),
      ),
  },
  {
    name: 'API document',
    start: (socket, token) =>
      repeatWrite(socket, buildHead('GET', '/api/openapi.json', [buildAuthorization(token)]).repeat(4)),
  },
  {
    name: 'searches for one letter',
    start: (socket, token) =>
      repeatWrite(
        socket,
        buildHead('GET', '/api/parcel/parcels/search?search=a&per_page=200', [buildAuthorization(token)]),
      ),
  },
  {
    name: 'aborted uploads',
    start: (socket, token) => {
      socket.write(buildUpload(token))
      setTimeout(() => socket.destroy(), Math.random() * 20)
    },
  },
]
