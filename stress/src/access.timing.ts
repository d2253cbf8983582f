import { openSender, type SendAs } from '../../server/test/access.send.ts'
import { openAccessDesk } from './access.desk.ts'
import { difference, median } from './access.statistics.ts'
import type { Extent, Outcome, Part } from './part.ts'
import { signIn } from './product.ts'

/** Tries of each kind. An account has five before it has to wait, so each is tried four times. */
const tries: Record<Extent, number> = { long: 1200, short: 24 }
const perAccount = 4
/** Tries of each kind before the measuring begins, on accounts of their own. */
const warming = 6
/** Of a try's time: what may lie between the kinds. In little only the work is compared: a busy machine's noise is large. */
const bound: Record<Extent, number> = { long: 0.03, short: 0.7 }

type Kind = 'unknown' | 'wrong' | 'inactive'
const kinds: readonly Kind[] = ['unknown', 'wrong', 'inactive']

export const timingPart: Part = {
  name: 'timing',
  about:
    'Signing in as somebody unknown, with a wrong password, and to an inactive account with its right one take the same time.',
  async run(extent: Extent, say): Promise<Outcome> {
    // Each try comes from an address of its own, so that none has to wait.
    await using desk = await openAccessDesk(1, { KARVON_TRUST_PROXY: '127.0.0.1' })
    const url = desk.processes[0]?.url ?? ''
    const sender = openSender(url)
    try {
      const accounts = tries[extent] / perAccount
      await makePeople(sender.send, await signIn(url), accounts, say)
      const times: Record<Kind, number[]> = { unknown: [], wrong: [], inactive: [] }
      const faults = new Set<string>()
      for (let at = -warming; at < tries[extent]; at += 1) {
        // Each kind stands first, second and last as often.
        for (const turn of [0, 1, 2]) {
          const kind = kinds[(at + warming + turn) % 3] ?? 'wrong'
          const { took, fault } = await tried(sender.send, kind, at, accounts)
          if (fault !== undefined) faults.add(fault)
          if (at >= 0) times[kind].push(took)
        }
        if (at > 0 && at % 300 === 0) say(`${at} tries of each kind`)
      }
      return judged(extent, times, [...faults])
    } finally {
      sender.close()
    }
  },
}

async function tried(send: SendAs, kind: Kind, at: number, accounts: number) {
  const account = at < 0 ? `warm-${-at}` : String(at % accounts)
  const body = JSON.stringify({
    username: `${kind}-${account}`,
    password: kind === 'wrong' ? 'inactive-passworx' : 'inactive-password',
  })
  const address = (at + 1000) * 3 + kinds.indexOf(kind)
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`,
  }
  const began = performance.now()
  const answer = await send({ method: 'POST', target: '/parcel/auth/login', headers, body })
  const took = performance.now() - began
  const right = answer.status === 401 && answer.body === refusal
  return { took, fault: right ? undefined : `${kind} was answered ${answer.status} ${answer.body}` }
}

const refusal = JSON.stringify({ detail: 'Incorrect username or password.', code: 'unauthenticated' })

async function makePeople(
  send: SendAs,
  admin: string,
  count: number,
  say: (line: string) => void,
): Promise<void> {
  const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' }
  const call = async (method: string, target: string, body?: object) => {
    const answer = await send({ method, target, headers, body: JSON.stringify(body ?? {}) })
    if (answer.status >= 300) throw new Error(`${target} answered ${answer.status}: ${answer.body}`)
    return JSON.parse(answer.body) as { id: number }
  }
  for (let at = 0; at < count; at += 1) {
    for (const kind of ['wrong', 'inactive'] as const) {
      const username = `${kind}-${at}`
      const person = { username, name: username, email: `${username}@example.uz`, role_id: 2 }
      const { id } = await call('POST', '/api/admin/users/', { ...person, password: 'inactive-password' })
      if (kind === 'inactive') await call('PUT', `/api/admin/users/${id}/deactivate`)
    }
  }
  say(`${count * 2} accounts made`)
}

function judged(extent: Extent, times: Record<Kind, number[]>, faults: string[]): Outcome {
  const whole = median(times.wrong)
  const pairs = [
    ['unknown', 'wrong'],
    ['unknown', 'inactive'],
    ['wrong', 'inactive'],
  ] as const
  const found = pairs.map(([one, other]) => ({
    name: `${one} - ${other}`,
    ...difference(times[one], times[other]),
  }))
  const apart = found.filter(
    ({ between, noise }) => Math.abs(between) > bound[extent] * whole && Math.abs(between) > 3 * noise,
  )
  const ms = (value: number) => `${value.toFixed(3)} ms`
  return {
    figures: {
      'tries of each kind': times.wrong.length,
      ...Object.fromEntries(kinds.map((kind) => [`median, ${kind}`, ms(median(times[kind]))])),
      ...Object.fromEntries(
        found.map(({ name, between, noise }) => [name, `${ms(between)}, noise ${ms(noise)}`]),
      ),
      'largest difference of a try': `${((Math.max(...found.map(({ between }) => Math.abs(between))) / whole) * 100).toFixed(2)} %`,
      'may be': `${bound[extent] * 100} %`,
    },
    faults: [...faults, ...apart.map(({ name, between }) => `${name} lie ${ms(between)} apart`)],
  }
}
