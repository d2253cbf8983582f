import type { Socket } from 'node:net'

/** What the process of an attacker is told. `attack`: the place in the list; it has addresses of its own. */
export interface FloodOrder {
  url: string
  attack: number
  connections: number
  token: string
}

interface Attack {
  name: string
  begin: (socket: Socket, token: string) => void
}

const head = (method: string, path: string, more: readonly string[] = []) =>
  [`${method} ${path} HTTP/1.1`, 'host: karvon', ...more, '', ''].join('\r\n')
const bearer = (token: string) => `authorization: Bearer ${token}`
const again = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), 20)
  socket.once('close', () => clearInterval(timer))
}
const upload = (token: string) =>
  `${head('POST', '/api/parcel/files/upload/', [bearer(token), 'content-type: multipart/form-data; boundary=x', 'content-length: 5000'])}--x\r\n`

export const attacks: readonly Attack[] = [
  { name: 'probes in a pipeline', begin: (socket) => again(socket, head('GET', '/readyz').repeat(30)) },
  { name: 'metrics in a pipeline', begin: (socket) => again(socket, head('GET', '/metrics').repeat(10)) },
  {
    name: 'slow bodies of anybody',
    begin: (socket) => {
      const more = ['content-type: application/json', 'content-length: 1000000']
      socket.write(head('POST', '/parcel/auth/login', more))
      again(socket, 'x'.repeat(50))
    },
  },
  {
    name: 'tokens that are nobody’s',
    begin: (socket) =>
      again(socket, head('GET', '/api/parcel/parcels/all', [bearer(`nobody-${Math.random()}`)]).repeat(4)),
  },
  {
    name: 'documentation',
    begin: (socket, token) => again(socket, head('GET', '/api/openapi.json', [bearer(token)]).repeat(4)),
  },
  {
    name: 'searches for one letter',
    begin: (socket, token) =>
      again(socket, head('GET', '/api/parcel/parcels/search?search=a&per_page=200', [bearer(token)])),
  },
  {
    name: 'uploads that are torn',
    begin: (socket, token) => {
      socket.write(upload(token))
      setTimeout(() => socket.destroy(), Math.random() * 20)
    },
  },
]
