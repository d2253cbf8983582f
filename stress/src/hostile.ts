import { attackOn, type Attack, type FindIds } from './hostile.attack.ts'
import { Faults, repeatable } from './hostile.faults.ts'
import { Ids } from './hostile.ids.ts'
import { readOperations, type Operation } from './hostile.operations.ts'
import { People } from './hostile.people.ts'
import { Random } from './hostile.random.ts'
import { rawRequest, sendRaw } from './hostile.raw.ts'
import { Sender, type Answer } from './hostile.send.ts'
import { Judge } from './hostile.verdict.ts'
import type { Extent, Outcome, Part } from './part.ts'
import { newFolder, startProduct, signIn } from './product.ts'

/** Requests; connections at once; the share of requests that are bytes on a connection of their own. */
const extents = {
  long: { requests: 200_000, connections: 32, raw: 0.03, patience: 5000 },
  // A loaded machine answers late for reasons of its own: the promise of 5 s is the long run's.
  short: { requests: 4000, connections: 16, raw: 0.03, patience: 30_000 },
} as const

/** The same attacks in the same order, run by run. */
const seed = 20_261_121

/** Calls of which the product takes few at once, and says so with 503: one at a time here. */
const singly = (path: string) => /[?&]format=|\/(import|upload|preview|try)\/?(\?|$)/.test(path)

interface Attacking {
  url: string
  people: People
  ids: Ids
  sender: Sender
  judge: Judge
  faults: Faults
  statuses: Map<string, number>
  slowest: { milliseconds: number; what: string }
  alone: Promise<unknown>
  patience: number
}

/** Requests made from the product's own OpenAPI document, in every shape that has ever broken a server. */
export const hostile: Part = {
  name: 'hostile',
  about:
    'No hostile request is answered with 5xx, late, or otherwise than documented, and none ends the process.',
  async run(extent, say) {
    const { requests, connections, raw, patience } = extents[extent]
    await using folder = await newFolder()
    const product = await startProduct(folder.path, {
      KARVON_DEMO: 'on',
      // Attacks name addresses of their own, see headersOf.
      KARVON_TRUST_PROXY: '127.0.0.1',
    })
    const { url } = product
    const sender = new Sender(url, connections)
    try {
      const people = new People(url)
      await people.open()
      const operations = await readOperations(url, await signIn(url))
      const at: Attacking = {
        url,
        people,
        ids: new Ids(),
        sender,
        judge: new Judge(operations),
        faults: new Faults(),
        statuses: new Map(),
        slowest: { milliseconds: 0, what: '' },
        alone: Promise.resolve(),
        patience,
      }
      await learn(at, operations)
      const random = new Random(seed)
      const find = at.ids.finder(random, people.spared)
      let sent = 0
      let seen = 0
      const began = performance.now()
      const worker = async () => {
        while (sent < requests && product.ended() === null) {
          const operation = operations[sent % operations.length]
          if (operation === undefined) return
          sent += 1
          if (sent % 20_000 === 0) say(`${sent.toLocaleString('en')} requests`)
          if (random.chance(raw)) await attackRaw(at, operation, random)
          else await attack(at, operation, random, find)
          seen += 1
        }
      }
      await Promise.all(Array.from({ length: connections }, worker))
      const seconds = (performance.now() - began) / 1000
      const end = product.ended()
      if (end !== null)
        at.faults.add('The process', `ended with ${end.code ?? end.signal}`, product.printed().slice(-500))
      else await stillWell(at)
      return outcome(at, extent, {
        requests: seen,
        operations: operations.length,
        seconds,
        ended: end !== null,
      })
    } finally {
      sender.close()
      await product.stop()
    }
  },
}

/** Looks at every list once, so that attacks know ids that are there. */
async function learn(at: Attacking, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) {
    if (operation.method !== 'GET' || operation.params.length > 0 || !operation.path.startsWith('/api/'))
      continue
    const plain: Attack = {
      operation,
      who: 'admin',
      method: 'GET',
      path: `${operation.path}?per_page=50`,
      headers: {},
      body: null,
      addressed: true,
    }
    const answer = await at.sender.send(plain, at.people.token('admin'))
    if (answer !== null) remember(at, operation, answer)
  }
}

function remember(at: Attacking, operation: Operation, { status, type, body }: Answer): void {
  if (status < 300 && type.startsWith('application/json') && body.length < 500_000)
    at.ids.learn(operation, JSON.parse(body))
}

async function attack(at: Attacking, operation: Operation, random: Random, find: FindIds): Promise<void> {
  const made = attackOn(operation, random, find)
  const token = at.people.token(made.who)
  const send = () => at.sender.send(made, token)
  const answer = await (singly(made.path) ? alone(at, send) : send())
  if (answer === null) {
    count(at, 'none')
    return at.faults.add(operation.id, 'closed the connection without an answer', repeatable(made))
  }
  count(at, String(answer.status))
  note(at, answer.milliseconds, repeatable(made))
  // Somebody's session was ended by an attack that was meant to do just that.
  if (answer.status === 401 && made.who !== 'nobody' && operation.id !== 'auth.login') {
    await at.people.renew(made.who, token)
    if (operation.secured) return
  }
  if (made.who === 'admin' && made.method === operation.method) remember(at, operation, answer)
  const wrong = at.judge.judge(made, answer)
  if (wrong !== null)
    at.faults.add(operation.id, wrong, `${repeatable(made)} -> ${answer.body.slice(0, 300)}`)
}

async function attackRaw(at: Attacking, operation: Operation, random: Random): Promise<void> {
  const spoken = operation.method === 'GET' || operation.path.startsWith('/api/admin/')
  const bytes = rawRequest(operation, (spoken && at.people.token('throwaway')) || 'none', random)
  const { status, milliseconds } = await sendRaw(at.url, bytes)
  count(at, status === null ? 'closed' : String(status))
  const what = JSON.stringify(bytes.subarray(0, 300).toString('latin1'))
  note(at, milliseconds, what)
  if (status !== null && status >= 500) at.faults.add(operation.id, `answered ${status} to raw bytes`, what)
}

/** One such call after the other. */
function alone<T>(at: Attacking, work: () => Promise<T>): Promise<T> {
  const done = at.alone.then(work)
  at.alone = done.catch(() => {})
  return done
}

const count = (at: Attacking, status: string) => at.statuses.set(status, (at.statuses.get(status) ?? 0) + 1)

function note(at: Attacking, milliseconds: number, what: string): void {
  if (milliseconds > at.slowest.milliseconds) at.slowest = { milliseconds, what }
  if (milliseconds > at.patience) at.faults.add('An answer', `took over ${at.patience / 1000} s`, what)
}

/** After all of it the product does its work as before. */
async function stillWell(at: Attacking): Promise<void> {
  for (const path of ['/healthz', '/readyz', '/api/app/settings']) {
    const { status } = await fetch(`${at.url}${path}`)
    if (status !== 200) at.faults.add('Afterwards', `${path} answered ${status}`, path)
  }
  await at.people.renew('admin', at.people.token('admin'))
}

function outcome(
  { statuses, slowest, faults }: Attacking,
  extent: Extent,
  run: { requests: number; operations: number; seconds: number; ended: boolean },
): Outcome {
  const by = (test: (status: string) => boolean) =>
    [...statuses].reduce((sum, [status, times]) => sum + (test(status) ? times : 0), 0)
  const found = faults.sentences()
  if (!run.ended && run.requests < extents[extent].requests)
    found.push(`Only ${run.requests} requests were made.`)
  return {
    figures: {
      requests: run.requests,
      operations: run.operations,
      seed: String(seed),
      'answers 2xx': by((status) => status.startsWith('2')),
      'answers 4xx': by((status) => status.startsWith('4')),
      'answers 5xx': by((status) => status.startsWith('5')),
      'connections closed on bytes that are no request': by((status) => status === 'closed'),
      statuses: [...statuses]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([status, times]) => `${status}: ${times}`)
        .join(', '),
      'slowest answer, ms': Math.round(slowest.milliseconds),
      'the slowest': slowest.what.slice(0, 100).replaceAll('|', '\\|'),
      exits: run.ended ? 1 : 0,
      'requests a second': Math.round(run.requests / run.seconds),
    },
    faults: found,
  }
}
