import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { must, send } from './client.ts'
import { stillHeld } from './held.ts'
import type { Outcome, Part } from './part.ts'
import { newFolder, signIn, startProduct, type Product } from './product.ts'
import { attacks, type FloodOrder } from './resources.attacks.ts'

/** Seconds of each attack, its connections, and whether times and memory are judged. */
const extents = {
  long: { seconds: 60, connections: 400, judges: true },
  // Other tests take the processor meanwhile: times and memory are figures alone.
  short: { seconds: 3, connections: 48, judges: false },
} as const

/** Milliseconds within which a person is answered, and bytes that the process takes, under each attack. */
const most = { wait: 5000, memory: 500 * 1024 * 1024 }

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

async function attackerOf(url: string, admin: string): Promise<string> {
  const { items } = await must<{ items: { id: number }[] }>(url, admin, {
    method: 'GET',
    path: '/api/admin/roles/?code=user',
  })
  const person = { username: 'attacker', password: 'seven-blue-lanterns' }
  const json = { ...person, name: 'Attacker', email: 'a@example.uz', role_id: items[0]?.id }
  await must(url, admin, { method: 'POST', path: '/api/admin/users/', json })
  return signIn(url, person)
}

/** What `work` gives while an attacker floods, from a process of its own: the person's times are not those of its loop. */
async function under<T>(order: FloodOrder, work: () => Promise<T>): Promise<T> {
  const flood = fork(path.join(import.meta.dirname, 'resources.flood.ts'))
  try {
    flood.send(order)
    await once(flood, 'message')
    return await work()
  } finally {
    flood.kill()
    await once(flood, 'exit')
  }
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
    for (const [at, { name }] of attacks.entries()) {
      const { longest, statuses, memory } = await under(
        { url: product.url, attack: at, connections, token: attacker },
        async () => ({
          ...(await work(product.url, admin, performance.now() + seconds * 1000)),
          memory: await memoryOf(product),
        }),
      )
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
