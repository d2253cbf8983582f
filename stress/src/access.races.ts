import { setTimeout as sleep } from 'node:timers/promises'
import { openSender, type Answer, type SendRequest } from '../../server/test/access.send.ts'
import { startProcesses, type ProductProcesses } from './access.processes.ts'
import type { Extent, PartResult, Part } from './part.ts'
import { signIn } from './product.ts'

const races: Record<Extent, number> = { long: 1000, short: 24 }
/** Victims, each with one race at a time. */
const victimCount = 4

interface Victim {
  id: number
  username: string
  password: string
}

/** A request of the victim. `process` is the index of the process that it was sent to. */
interface RaceRequest {
  startedAt: number
  process: number
  isAllowed: boolean
}

interface Race {
  change: string
  before: number
  after: number
  /** Requests that began after the answer and succeeded. */
  late: number
}

/** A change that ends the victim's session or its admin rights. */
type Change = (send: SendRequest, admin: string, victim: Victim, token: string) => Promise<Answer>

const changes: Readonly<Record<string, Change>> = {
  deactivate: (send, admin, { id }) => send(buildRequest('PUT', `/api/admin/users/${id}/deactivate`, admin)),
  'new password': (send, admin, { id, password }) =>
    send(buildRequest('PUT', `/api/admin/users/${id}`, admin, { password })),
  'sign out everywhere': (send, _admin, { password }, token) =>
    send(buildRequest('DELETE', '/parcel/auth/sessions', token, { current_password: password })),
  'sign out': (send, _admin, _victim, token) => send(buildRequest('POST', '/parcel/auth/logout', token)),
  'role change': (send, admin, { id }) =>
    send(buildRequest('PUT', `/api/admin/users/${id}`, admin, { role_id: 2 })),
}
const otherChanges = Object.keys(changes).filter((change) => change !== 'deactivate')
/** Four of five changes are deactivations. */
const pickChange = (number: number) =>
  (number % 5 < 4 ? undefined : otherChanges[Math.floor(number / 5) % otherChanges.length]) ?? 'deactivate'

export const racesPart: Part = {
  name: 'races',
  description:
    'No request succeeds in either of two processes after a deactivation, new password, sign-out or role change was answered.',
  async run(extent: Extent, log): Promise<PartResult> {
    await using product = await startProcesses(2)
    const senders = product.processes.map(({ url }) => openSender(url))
    const sends = senders.map(({ send }) => send)
    try {
      const admin = await signIn(product.processes[0]?.url ?? '')
      const raceCount = extent === 'long' ? Number.POSITIVE_INFINITY : races.short
      const finishedRaces: Race[] = []
      const isFinished = () =>
        finishedRaces.length >= raceCount ||
        finishedRaces.filter(({ change }) => change === 'deactivate').length >= races.long
      const victims = await Promise.all(
        Array.from({ length: victimCount }, (_, at) => createVictim(sends[0] as SendRequest, admin, at)),
      )
      let next = 0
      await Promise.all(
        victims.map(async (victim) => {
          while (!isFinished()) {
            const number = next++
            // oxlint-disable-next-line no-await-in-loop -- the races of a victim run one after the other
            finishedRaces.push(await race(product, sends, admin, victim, number))
            if (finishedRaces.length % 200 === 0) log(`${finishedRaces.length} races`)
          }
        }),
      )
      return summarize(finishedRaces)
    } finally {
      for (const sender of senders) sender.close()
    }
  },
}

async function race(
  product: ProductProcesses,
  sends: readonly SendRequest[],
  admin: string,
  victim: Victim,
  number: number,
): Promise<Race> {
  // Each process gets each kind of change.
  const send = sends[(number + Math.floor(number / 20)) % sends.length] as SendRequest
  const change = pickChange(number)
  await requireSuccess(send(buildRequest('PUT', `/api/admin/users/${victim.id}/activate`, admin)))
  await requireSuccess(send(buildRequest('PUT', `/api/admin/users/${victim.id}`, admin, { role_id: 1 })))
  const token = await signIn(product.processes[number % 2]?.url ?? '', victim)
  const requests: RaceRequest[] = []
  const abort = new AbortController()
  const loops = sends.flatMap((send, process) =>
    [0, 1].map(async () => {
      while (!abort.signal.aborted) {
        const startedAt = performance.now()
        // oxlint-disable-next-line no-await-in-loop -- one connection sends one request at a time
        const { status } = await send(buildRequest('GET', '/api/admin/offers/?per_page=1', token))
        requests.push({ startedAt, process, isAllowed: status === 200 })
      }
    }),
  )
  await sleep(5 + ((number * 7) % 40))
  await requireSuccess(changes[change]?.(send, admin, victim, token))
  const answeredAt = performance.now()
  const isFinished = () => sends.every((_, process) => countAfter(requests, answeredAt, process) >= 3)
  while (!isFinished()) await sleep(2)
  abort.abort()
  await Promise.all(loops)
  return {
    change,
    before: requests.filter(({ startedAt, isAllowed }) => startedAt <= answeredAt && isAllowed).length,
    after: requests.filter(({ startedAt }) => startedAt > answeredAt).length,
    late: requests.filter(({ startedAt, isAllowed }) => startedAt > answeredAt && isAllowed).length,
  }
}

const countAfter = (requests: readonly RaceRequest[], answeredAt: number, process: number) =>
  requests.filter((request) => request.process === process && request.startedAt > answeredAt).length

function summarize(finishedRaces: readonly Race[]): PartResult {
  const sum = (count: (race: Race) => number) => finishedRaces.reduce((total, race) => total + count(race), 0)
  const kinds = Object.keys(changes).map(
    (change) => [change, finishedRaces.filter((race) => race.change === change)] as const,
  )
  const idle = finishedRaces.filter(({ before }) => before === 0).length
  return {
    figures: {
      processes: 2,
      races: finishedRaces.length,
      ...Object.fromEntries(kinds.map(([change, count]) => [`races: ${change}`, count.length])),
      'requests that succeeded before the answer': sum(({ before }) => before),
      'requests that began after the answer': sum((race) => race.after),
      'requests that succeeded after the answer': sum(({ late }) => late),
    },
    failures: [
      ...kinds.flatMap(([change, count]) => {
        const late = count.filter((race) => race.late > 0).length
        return late === 0 ? [] : [`After ${late} of ${count.length} answers (${change}) a request succeeded`]
      }),
      ...(idle > finishedRaces.length / 10
        ? [`In ${idle} of ${finishedRaces.length} races no request succeeded before the answer`]
        : []),
    ],
  }
}

async function createVictim(send: SendRequest, admin: string, at: number): Promise<Victim> {
  const username = `victim-${at}`
  const password = `${username}-password`
  const body = { username, name: username, email: `${username}@example.uz`, password, role_id: 1 }
  const { id } = JSON.parse(
    (await requireSuccess(send(buildRequest('POST', '/api/admin/users/', admin, body)))).body,
  ) as {
    id: number
  }
  return { id, username, password }
}

async function requireSuccess(answer: Promise<Answer> | undefined): Promise<Answer> {
  const response = await answer
  if (response === undefined || response.status >= 300)
    throw new Error(`A change answered ${response?.status}: ${response?.body}`)
  return response
}

const buildRequest = (method: string, target: string, token: string, body?: object) => ({
  method,
  target,
  headers: {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})
