import { setTimeout as sleep } from 'node:timers/promises'
import { openSender, type Answer, type SendAs } from '../../server/test/access.send.ts'
import { openAccessDesk, type AccessDesk } from './access.desk.ts'
import type { Extent, Outcome, Part } from './part.ts'
import { signIn } from './product.ts'

const races: Record<Extent, number> = { long: 1000, short: 24 }
/** Victims that are raced for at the same time. */
const atOnce = 4

interface Victim {
  id: number
  username: string
  password: string
}

/** A request of the victim's: when it began, which process was asked, and what came. */
interface Seen {
  began: number
  process: number
  passed: boolean
}

interface Race {
  what: string
  before: number
  after: number
  /** Began after the answer and passed all the same. */
  late: number
}

/** A change, and whether the session that was used before it may go on as somebody with less rights. */
type Change = (by: SendAs, admin: string, victim: Victim, token: string) => Promise<Answer>

const changes: Readonly<Record<string, Change>> = {
  deactivate: (by, admin, { id }) => by(asked('PUT', `/api/admin/users/${id}/deactivate`, admin)),
  'new password': (by, admin, { id, password }) =>
    by(asked('PUT', `/api/admin/users/${id}`, admin, { password })),
  'sign out everywhere': (by, _admin, { password }, token) =>
    by(asked('DELETE', '/parcel/auth/sessions', token, { current_password: password })),
  'sign out': (by, _admin, _victim, token) => by(asked('POST', '/parcel/auth/logout', token)),
  'another role': (by, admin, { id }) => by(asked('PUT', `/api/admin/users/${id}`, admin, { role_id: 2 })),
}
const others = Object.keys(changes).filter((what) => what !== 'deactivate')
/** Four of five are the deactivations that are promised of 1,000. */
const whatOf = (number: number) =>
  (number % 5 < 4 ? undefined : others[Math.floor(number / 5) % others.length]) ?? 'deactivate'

export const racesPart: Part = {
  name: 'races',
  about:
    'No request that begins after a deactivation (a new password, a sign-out, another role) was answered succeeds, in any of two processes.',
  async run(extent: Extent, say): Promise<Outcome> {
    await using desk = await openAccessDesk(2)
    const senders = desk.processes.map(({ url }) => openSender(url))
    const sends = senders.map(({ send }) => send)
    try {
      const admin = await signIn(desk.processes[0]?.url ?? '')
      const wanted = extent === 'long' ? Number.POSITIVE_INFINITY : races.short
      const done: Race[] = []
      const enough = () =>
        done.length >= wanted || done.filter(({ what }) => what === 'deactivate').length >= races.long
      const victims = await Promise.all(
        Array.from({ length: atOnce }, (_, at) => newVictim(sends[0] as SendAs, admin, at)),
      )
      let next = 0
      await Promise.all(
        victims.map(async (victim) => {
          while (!enough()) {
            const number = next++
            // oxlint-disable-next-line no-await-in-loop -- each victim's races come one after the other
            done.push(await race(desk, sends, admin, victim, number))
            if (done.length % 200 === 0) say(`${done.length} races`)
          }
        }),
      )
      return judged(done)
    } finally {
      for (const sender of senders) sender.close()
    }
  },
}

async function race(
  desk: AccessDesk,
  sends: readonly SendAs[],
  admin: string,
  victim: Victim,
  number: number,
): Promise<Race> {
  // Each kind of change is made at each process.
  const by = sends[(number + Math.floor(number / 20)) % sends.length] as SendAs
  const what = whatOf(number)
  await ok(by(asked('PUT', `/api/admin/users/${victim.id}/activate`, admin)))
  await ok(by(asked('PUT', `/api/admin/users/${victim.id}`, admin, { role_id: 1 })))
  const token = await signIn(desk.processes[number % 2]?.url ?? '', victim)
  const seen: Seen[] = []
  const over = new AbortController()
  const asking = sends.flatMap((send, process) =>
    [0, 1].map(async () => {
      while (!over.signal.aborted) {
        const began = performance.now()
        // oxlint-disable-next-line no-await-in-loop -- one connection asks without a pause
        const { status } = await send(asked('GET', '/api/admin/offers/?per_page=1', token))
        seen.push({ began, process, passed: status === 200 })
      }
    }),
  )
  await sleep(5 + ((number * 7) % 40))
  await ok(changes[what]?.(by, admin, victim, token))
  const answered = performance.now()
  const enough = () => sends.every((_, process) => after(seen, answered, process) >= 3)
  while (!enough()) await sleep(2)
  over.abort()
  await Promise.all(asking)
  return {
    what,
    before: seen.filter(({ began, passed }) => began <= answered && passed).length,
    after: seen.filter(({ began }) => began > answered).length,
    late: seen.filter(({ began, passed }) => began > answered && passed).length,
  }
}

const after = (seen: readonly Seen[], answered: number, process: number) =>
  seen.filter((one) => one.process === process && one.began > answered).length

function judged(done: readonly Race[]): Outcome {
  const sum = (of: (race: Race) => number) => done.reduce((all, race) => all + of(race), 0)
  const kinds = Object.keys(changes).map((what) => [what, done.filter((race) => race.what === what)] as const)
  const idle = done.filter(({ before }) => before === 0).length
  return {
    figures: {
      processes: 2,
      races: done.length,
      ...Object.fromEntries(kinds.map(([what, of]) => [`of them: ${what}`, of.length])),
      'requests that passed before the answer': sum(({ before }) => before),
      'requests that began after the answer': sum((race) => race.after),
      'of them passed': sum(({ late }) => late),
    },
    faults: [
      ...kinds.flatMap(([what, of]) => {
        const late = of.filter((race) => race.late > 0).length
        return late === 0 ? [] : [`After ${late} of ${of.length} answers (${what}) a request passed`]
      }),
      ...(idle > done.length / 10
        ? [`In ${idle} of ${done.length} races nothing passed before the answer`]
        : []),
    ],
  }
}

async function newVictim(send: SendAs, admin: string, at: number): Promise<Victim> {
  const username = `victim-${at}`
  const password = `${username}-password`
  const body = { username, name: username, email: `${username}@example.uz`, password, role_id: 1 }
  const { id } = JSON.parse((await ok(send(asked('POST', '/api/admin/users/', admin, body)))).body) as {
    id: number
  }
  return { id, username, password }
}

async function ok(answer: Promise<Answer> | undefined): Promise<Answer> {
  const came = await answer
  if (came === undefined || came.status >= 300)
    throw new Error(`A change answered ${came?.status}: ${came?.body}`)
  return came
}

const asked = (method: string, target: string, token: string, body?: object) => ({
  method,
  target,
  headers: {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})
