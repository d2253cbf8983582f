import fc from 'fast-check'
import { generateAttacks, type Attack, type KnownIds } from './fuzz.attack.ts'
import { FailureLog, describeAttack, sizeOf, type RequestFailure } from './fuzz.faults.ts'
import { IdStore } from './fuzz.ids.ts'
import { readOperations, type Operation } from './fuzz.operations.ts'
import { People } from './fuzz.people.ts'
import { rawRequest, sendRaw, withToken } from './fuzz.raw.ts'
import { AttackSender, type AttackAnswer } from './fuzz.send.ts'
import { AnswerChecker } from './fuzz.check.ts'
import type { Extent, PartResult, Part } from './part.ts'
import { createFolder, startProduct, signIn } from './product.ts'

/** Requests, connections at once, and milliseconds after which an answer is late. */
const extents = {
  long: { requests: 200_000, connections: 32, maxMilliseconds: 5000 },
  // The short run shares the machine with other tests, so only the long run checks the promise of 5 s.
  short: { requests: 2500, connections: 16, maxMilliseconds: 30_000 },
} as const

/** Each run sends the same attacks. Only the ids in them come from the answers of the run. */
const seed = 20_261_121
/** Requests to one operation before those to the next, so that operations find rows of each other. */
const requestsPerCheck = 5
/** Maximum number of smaller requests that search the cause of a failure. */
const maxShrinks = 200

/** Calls that the product limits to a few at once. The run sends one of them at a time. */
const isExclusive = (path: string) => /[?&]format=|\/(import|upload|preview|try)\/?(\?|$)/.test(path)

interface FuzzRun {
  url: string
  people: People
  ids: IdStore
  sender: AttackSender
  checker: AnswerChecker
  failures: FailureLog
  requests: number
  statuses: Map<string, number>
  slowest: { milliseconds: number; what: string }
  queue: Promise<unknown>
  maxMilliseconds: number
}

/** Sends hostile requests that are generated from the product's OpenAPI document. */
export const fuzzPart: Part = {
  name: 'fuzz',
  description:
    'Every hostile request gets a documented answer in time and below 500, and the process survives.',
  async run(extent, log) {
    const { requests, connections, maxMilliseconds } = extents[extent]
    await using folder = await createFolder()
    const product = await startProduct(folder.path, {
      KARVON_DEMO: 'on',
      // Each attack has its own client address.
      KARVON_TRUST_PROXY: '127.0.0.1',
    })
    const { url } = product
    const sender = new AttackSender(url, connections)
    try {
      const people = new People(url)
      await people.create()
      const operations = await readOperations(url, await signIn(url))
      const run: FuzzRun = {
        url,
        people,
        ids: new IdStore(),
        sender,
        checker: new AnswerChecker(operations),
        failures: new FailureLog(),
        requests: 0,
        statuses: new Map(),
        slowest: { milliseconds: 0, what: '' },
        queue: Promise.resolve(),
        maxMilliseconds,
      }
      await learnIds(run, operations)
      const ids = run.ids.arbitraries(people.protectedIds)
      const properties = operations.map((operation) => requestProperty(run, operation, ids))
      const checks = requests / requestsPerCheck
      let checkCount = 0
      const startedAt = performance.now()
      const worker = async () => {
        while (checkCount < checks && product.end === null) {
          const property = properties[checkCount % properties.length]
          if (property === undefined) return
          checkCount += 1
          if (checkCount % 4000 === 0) log(`${(checkCount * requestsPerCheck).toLocaleString('en')} requests`)
          // Failures are in run.failures.
          await fc.check(property(), {
            seed: seed + checkCount,
            numRuns: requestsPerCheck,
          })
        }
      }
      await Promise.all(Array.from({ length: connections }, worker))
      const seconds = (performance.now() - startedAt) / 1000
      const end = product.end
      if (end !== null)
        run.failures.add('The process', {
          what: `ended with ${end.code ?? end.signal}`,
          request: product.output.slice(-500),
        })
      else await checkHealth(run)
      return summarize(run, extent, {
        requests: run.requests,
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

/** Reads every list once, so that attacks have existing ids. */
async function learnIds(run: FuzzRun, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) {
    if (operation.method !== 'GET' || operation.params.length > 0 || !operation.path.startsWith('/api/'))
      continue
    const listAttack: Attack = {
      operation,
      role: 'admin',
      method: 'GET',
      path: `${operation.path}?per_page=50`,
      headers: {},
      body: null,
      reachesOperation: true,
    }
    const answer = await run.sender.send(listAttack, run.people.token('admin'))
    if (answer !== null) learnFromAnswer(run, operation, answer)
  }
}

function learnFromAnswer(run: FuzzRun, operation: Operation, { status, type, body }: AttackAnswer): void {
  if (status < 300 && type.startsWith('application/json') && body.length < 500_000)
    run.ids.learn(operation, JSON.parse(body))
}

type Request = { attack: Attack } | { raw: string }

/** The property that every request to the operation is answered correctly. Only the first failure of a kind is shrunk. */
function requestProperty(run: FuzzRun, operation: Operation, ids: KnownIds) {
  const requests = fc.oneof(
    { weight: 97, arbitrary: generateAttacks(operation, ids).map((attack): Request => ({ attack })) },
    { weight: 3, arbitrary: rawRequest(operation).map((raw): Request => ({ raw })) },
  )
  const boundedRequests = fc.limitShrink(requests, maxShrinks)
  return () => {
    let isShrinking = false
    return fc.asyncProperty(boundedRequests, async (request) => {
      run.requests += 1
      const failure = await sendRequest(run, operation, request)
      if (failure === null) return true
      isShrinking = run.failures.add(operation.id, failure) || isShrinking
      return !isShrinking
    })
  }
}

/** Counts an error of the attack itself as a failure. fast-check would treat it as a failing request. */
async function sendRequest(
  run: FuzzRun,
  operation: Operation,
  request: Request,
): Promise<RequestFailure | null> {
  try {
    return 'raw' in request
      ? await sendRawRequest(run, operation, request.raw)
      : await sendAttack(run, request.attack)
  } catch (error) {
    return {
      what: `could not be attacked: ${String(error)}`,
      request: 'raw' in request ? JSON.stringify(request.raw.slice(0, 300)) : describeAttack(request.attack),
    }
  }
}

async function sendAttack(run: FuzzRun, attack: Attack): Promise<RequestFailure | null> {
  const { operation } = attack
  const token = run.people.token(attack.role)
  // Each request has an address of its own, so that the limits of one address hide nothing.
  const forwardedAddress = `10.${(run.requests >> 16) & 255}.${(run.requests >> 8) & 255}.${run.requests & 255}`
  const sentAttack = { ...attack, headers: { 'x-forwarded-for': forwardedAddress, ...attack.headers } }
  const send = () => run.sender.send(sentAttack, token)
  const answer = await (isExclusive(attack.path) ? queue(run, send) : send())
  if (answer === null) {
    countStatus(run, 'none')
    return {
      what: 'closed the connection without an answer',
      request: describeAttack(attack),
      size: sizeOf(attack),
    }
  }
  countStatus(run, String(answer.status))
  recordTime(run, answer.milliseconds, describeAttack(attack))
  // An attack on a throwaway session has ended it.
  if (answer.status === 401 && attack.role !== 'anonymous' && operation.id !== 'auth.login') {
    await run.people.renew(attack.role, token)
    if (operation.isSecured) return null
  }
  if (attack.role === 'admin' && attack.method === operation.method) learnFromAnswer(run, operation, answer)
  const problem = run.checker.check(attack, answer)
  if (problem === null) return null
  return {
    what: problem,
    request: `${describeAttack(attack)} -> ${answer.body.slice(0, 300)}`,
    size: sizeOf(attack),
  }
}

async function sendRawRequest(
  run: FuzzRun,
  operation: Operation,
  raw: string,
): Promise<RequestFailure | null> {
  const takesToken = operation.method === 'GET' || operation.path.startsWith('/api/admin/')
  const bytes = withToken(raw, (takesToken && run.people.token('throwaway')) || 'none')
  const { status, milliseconds } = await sendRaw(run.url, bytes)
  countStatus(run, status === null ? 'closed' : String(status))
  const request = JSON.stringify(raw.slice(0, 300))
  recordTime(run, milliseconds, request)
  return status !== null && status >= 500 ? { what: `answered ${status} to raw bytes`, request } : null
}

/** Runs the exclusive calls one after the other. */
function queue<T>(run: FuzzRun, work: () => Promise<T>): Promise<T> {
  const completion = run.queue.then(work)
  run.queue = completion.catch(() => {})
  return completion
}

const countStatus = (run: FuzzRun, status: string) =>
  run.statuses.set(status, (run.statuses.get(status) ?? 0) + 1)

function recordTime(run: FuzzRun, milliseconds: number, what: string): void {
  if (milliseconds > run.slowest.milliseconds) run.slowest = { milliseconds, what }
  if (milliseconds > run.maxMilliseconds)
    run.failures.add('An answer', { what: `took over ${run.maxMilliseconds / 1000} s`, request: what })
}

/** Checks that the product works after the attacks. */
async function checkHealth(run: FuzzRun): Promise<void> {
  for (const path of ['/healthz', '/readyz', '/api/app/settings']) {
    const { status } = await fetch(`${run.url}${path}`)
    if (status !== 200) run.failures.add('Afterwards', { what: `${path} answered ${status}`, request: path })
  }
  await run.people.renew('admin', run.people.token('admin'))
}

function summarize(
  { statuses, slowest, failures }: FuzzRun,
  extent: Extent,
  run: { requests: number; operations: number; seconds: number; ended: boolean },
): PartResult {
  const countStatuses = (test: (status: string) => boolean) =>
    [...statuses].reduce((sum, [status, times]) => sum + (test(status) ? times : 0), 0)
  const foundFailures = failures.list()
  if (!run.ended && foundFailures.length === 0 && run.requests < extents[extent].requests)
    foundFailures.push(`Only ${run.requests} requests were made.`)
  return {
    figures: {
      requests: run.requests,
      operations: run.operations,
      seed: String(seed),
      'answers 2xx': countStatuses((status) => status.startsWith('2')),
      'answers 4xx': countStatuses((status) => status.startsWith('4')),
      'answers 5xx': countStatuses((status) => status.startsWith('5')),
      'connections closed on bytes that are no request': countStatuses((status) => status === 'closed'),
      statuses: [...statuses]
        .toSorted(([first], [second]) => first.localeCompare(second))
        .map(([status, times]) => `${status}: ${times}`)
        .join(', '),
      'slowest answer, ms': Math.round(slowest.milliseconds),
      'the slowest': slowest.what.slice(0, 100).replaceAll('|', '\\|'),
      exits: run.ended ? 1 : 0,
      'requests a second': Math.round(run.requests / run.seconds),
    },
    failures: foundFailures,
  }
}
