import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { sendOrThrow, send } from './client.ts'
import { findLeakedResources } from './leaks.ts'
import type { PartResult, Part } from './part.ts'
import { createFolder, signIn, startProduct } from './product.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { attacks, type FloodTask } from './resources.attacks.ts'

/** Seconds and connections of each attack. `enforcesLimits`: whether the run checks times and memory. */
const extents = {
  long: { seconds: 60, connections: 400, enforcesLimits: true },
  // Other tests share the processor, so times and memory are not checked.
  short: { seconds: 3, connections: 48, enforcesLimits: false },
} as const

/** Longest answer to a person, and memory of the process, during an attack. */
const limits = { milliseconds: 5000, bytes: 500 * 1024 * 1024 }

/** Sends requests of a person during an attack. Returns the longest time and all statuses. */
async function workAsPerson(
  url: string,
  token: string,
  until: number,
): Promise<{ longest: number; statuses: number[] }> {
  const statuses: number[] = []
  let longest = 0
  while (performance.now() < until) {
    const startedAt = performance.now()
    const { status } = await send(url, token, { method: 'GET', path: '/api/parcel/parcels/all' })
    longest = Math.max(longest, performance.now() - startedAt)
    statuses.push(status)
    await sleep(50)
  }
  return { longest, statuses }
}

/** Resident memory of a process in bytes. */
async function readMemory({ pid }: NodeProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

async function createAttacker(url: string, admin: string): Promise<string> {
  const { items } = await sendOrThrow<{ items: { id: number }[] }>(url, admin, {
    method: 'GET',
    path: '/api/admin/roles/?code=user',
  })
  const person = { username: 'attacker', password: 'seven-blue-lanterns' }
  const json = { ...person, name: 'Attacker', email: 'a@example.uz', role_id: items[0]?.id }
  await sendOrThrow(url, admin, { method: 'POST', path: '/api/admin/users/', json })
  return signIn(url, person)
}

/** Runs `work` during a flood. A separate process floods, so that it does not delay the person's requests. */
async function runDuringAttack<T>(task: FloodTask, work: () => Promise<T>): Promise<T> {
  const flood = fork(path.join(import.meta.dirname, 'resources.flood.ts'))
  const exit = once(flood, 'exit')
  try {
    flood.send(task)
    const isFlooding = await Promise.race([once(flood, 'message').then(() => true), exit.then(() => false)])
    if (!isFlooding) throw new Error('The process that floods has ended')
    return await work()
  } finally {
    flood.kill()
    await exit
  }
}

async function run(extent: 'long' | 'short', log: (line: string) => void): Promise<PartResult> {
  const { seconds, connections, enforcesLimits } = extents[extent]
  await using folder = await createFolder()
  const product = await startProduct(folder.path, { KARVON_DEMO: 'on' })
  const figures: Record<string, number | string> = {}
  const failures: string[] = []
  try {
    const admin = await signIn(product.url)
    const attacker = await createAttacker(product.url, admin)
    for (const [index, { name }] of attacks.entries()) {
      const { longest, statuses, bytes } = await runDuringAttack(
        { url: product.url, attackIndex: index, connections, token: attacker },
        async () => ({
          ...(await workAsPerson(product.url, admin, performance.now() + seconds * 1000)),
          bytes: await readMemory(product),
        }),
      )
      const refusedStatuses = statuses.filter((status) => status !== 200 && (enforcesLimits || status !== 0))
      const megabytes = Math.round(bytes / 1024 / 1024)
      figures[name] = `${statuses.length} answers, longest ${Math.round(longest)} ms, ${megabytes} MB`
      log(`${name}: ${figures[name]}`)
      if (refusedStatuses.length > 0)
        failures.push(
          `${name}: ${refusedStatuses.length} requests of a person were refused: ${[...new Set(refusedStatuses)].join()}`,
        )
      if (enforcesLimits && longest > limits.milliseconds)
        failures.push(`${name}: a person waited ${Math.round(longest)} ms`)
      if (enforcesLimits && bytes > limits.bytes) failures.push(`${name}: the process took ${megabytes} MB`)
      const leakedResources = await findLeakedResources(product.url)
      if (leakedResources.length > 0) failures.push(`${name}: not released: ${leakedResources.join(', ')}`)
      if (product.end !== null) failures.push(`${name}: the product ended`)
    }
  } finally {
    await product.stop()
  }
  return { figures, failures }
}

export const resourcesPart: Part = {
  name: 'resources',
  description:
    'People are answered during the worst attack from four addresses, and all resources are freed afterwards.',
  run,
}
