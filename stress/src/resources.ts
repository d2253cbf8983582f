import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Socket } from 'node:net'
import { must, send } from './client.ts'
import type { Outcome, Part } from './part.ts'
import { newFolder, signIn, startProduct, type Product } from './product.ts'
import { Flood } from './resources.sockets.ts'

/** Seconds of each attack, its connections, and whether times and memory are judged. */
const extents = {
  long: { seconds: 60, connections: 400, judges: true },
  // Other tests take the processor meanwhile: times and memory are figures alone.
  short: { seconds: 3, connections: 48, judges: false },
} as const

/** Milliseconds within which a person is answered, and bytes that the process takes, under each attack. */
const most = { wait: 5000, memory: 500 * 1024 * 1024 }

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

const attacks: readonly Attack[] = [
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

/** A person who works while somebody attacks: how long the longest answer took, and which were refused. */
async function work(
  url: string,
  token: string,
  until: number,
): Promise<{ longest: number; statuses: number[] }> {
  const statuses: number[] = []
  let longest = 0
  while (performance.now() < until) {
    const began = performance.now()
    const { status } = await send(url, token, { method: 'GET', path: '/api/parcel/parcels/all' })
    longest = Math.max(longest, performance.now() - began)
    statuses.push(status)
    await sleep(50)
  }
  return { longest, statuses }
}

/** Bytes that the process holds in memory. */
async function memoryOf({ pid }: Product): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

/** What requests still hold, as the metrics say; the reading itself is a probe. */
async function stillHeld(url: string): Promise<string[]> {
  let held: string[] = []
  for (let tries = 0; tries < 50; tries += 1) {
    const { text } = await send(url, null, { method: 'GET', path: '/metrics' })
    held = [...text.matchAll(/^held\{what="(\w+)"\} ([1-9]\d*)$/gm)].flatMap(([, what = '', count]) =>
      what === 'probes' ? [] : [`${what}: ${count}`],
    )
    if (held.length === 0) return []
    await sleep(200)
  }
  return held
}

async function attackerOf(url: string, admin: string): Promise<string> {
  const { items } = await must<{ items: { id: number }[] }>(url, admin, {
    method: 'GET',
    path: '/api/admin/roles/?code=user',
  })
  const person = { username: 'attacker', password: 'attacker-of-resources' }
  const json = { ...person, name: 'Attacker', email: 'a@example.uz', role_id: items[0]?.id }
  await must(url, admin, { method: 'POST', path: '/api/admin/users/', json })
  return signIn(url, person)
}

async function run(extent: 'long' | 'short', say: (line: string) => void): Promise<Outcome> {
  const { seconds, connections, judges } = extents[extent]
  await using folder = await newFolder()
  const product = await startProduct(folder.path, { KARVON_DEMO: 'on' })
  const figures: Record<string, number | string> = {}
  const faults: string[] = []
  try {
    const admin = await signIn(product.url)
    const attacker = await attackerOf(product.url, admin)
    for (const [at, { name, begin }] of attacks.entries()) {
      const flood = new Flood(product.url, at)
      flood.run(connections, (socket) => begin(socket, attacker))
      const { longest, statuses } = await work(product.url, admin, performance.now() + seconds * 1000)
      const memory = await memoryOf(product)
      flood.stop()
      const refused = statuses.filter((status) => status !== 200 && (judges || status !== 0))
      const megabytes = Math.round(memory / 1024 / 1024)
      figures[name] = `${statuses.length} answers, longest ${Math.round(longest)} ms, ${megabytes} MB`
      say(`${name}: ${figures[name]}`)
      if (refused.length > 0)
        faults.push(`${name}: a person was refused ${refused.length} times: ${[...new Set(refused)].join()}`)
      if (judges && longest > most.wait) faults.push(`${name}: a person waited ${Math.round(longest)} ms`)
      if (judges && memory > most.memory) faults.push(`${name}: the process took ${megabytes} MB`)
      const held = await stillHeld(product.url)
      if (held.length > 0) faults.push(`${name}: still held afterwards: ${held.join(', ')}`)
      if (product.ended() !== null) faults.push(`${name}: the product ended`)
    }
  } finally {
    await product.stop()
  }
  return { figures, faults }
}

export const resourcesPart: Part = {
  name: 'resources',
  about:
    'while one attacker does the worst from four addresses, people are answered and everything is given back',
  run,
}
