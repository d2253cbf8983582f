import { openSender, type SendRequest } from '../../server/test/access.send.ts'
import { startProcesses } from './access.processes.ts'
import { compareMedians, median } from './access.statistics.ts'
import type { Extent, PartResult, Part } from './part.ts'
import { signIn } from './product.ts'

/** Attempts of each kind. An account has five free attempts, so each account gets four. */
const attempts: Record<Extent, number> = { long: 1200, short: 24 }
const attemptsPerAccount = 4
/** Attempts of each kind before the measurement, on separate accounts. */
const warmUpAttempts = 6
/** Largest difference between the kinds as a share of the time. The short run has much noise. */
const maxDifference: Record<Extent, number> = { long: 0.03, short: 0.7 }

type Kind = 'unknown' | 'wrong' | 'inactive'
const kinds: readonly Kind[] = ['unknown', 'wrong', 'inactive']

export const timingPart: Part = {
  name: 'timing',
  description:
    'A sign-in takes the same time with an unknown name, a wrong password and an inactive account.',
  async run(extent: Extent, log): Promise<PartResult> {
    // Each attempt has its own address, so that no limit delays it.
    await using product = await startProcesses(1, { KARVON_TRUST_PROXY: '127.0.0.1' })
    const url = product.processes[0]?.url ?? ''
    const sender = openSender(url)
    try {
      const accounts = attempts[extent] / attemptsPerAccount
      await makePeople(sender.send, await signIn(url), accounts, log)
      const times: Record<Kind, number[]> = { unknown: [], wrong: [], inactive: [] }
      const failures = new Set<string>()
      for (let index = -warmUpAttempts; index < attempts[extent]; index += 1) {
        // Each kind is first, second and last equally often.
        for (const offset of [0, 1, 2]) {
          const kind = kinds[(index + warmUpAttempts + offset) % 3] ?? 'wrong'
          const { milliseconds, failure } = await attemptSignIn(sender.send, kind, index, accounts)
          if (failure !== undefined) failures.add(failure)
          if (index >= 0) times[kind].push(milliseconds)
        }
        if (index > 0 && index % 300 === 0) log(`${index} attempts of each kind`)
      }
      return summarize(extent, times, [...failures])
    } finally {
      sender.close()
    }
  },
}

async function attemptSignIn(send: SendRequest, kind: Kind, index: number, accounts: number) {
  const account = index < 0 ? `warm-${-index}` : String(index % accounts)
  const body = JSON.stringify({
    username: `${kind}-${account}`,
    password: kind === 'wrong' ? 'inactive-passworx' : 'inactive-password',
  })
  const address = (index + 1000) * 3 + kinds.indexOf(kind)
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`,
  }
  const startedAt = performance.now()
  const answer = await send({ method: 'POST', target: '/parcel/auth/login', headers, body })
  const milliseconds = performance.now() - startedAt
  const isRefused = answer.status === 401 && answer.body === refusal
  return {
    milliseconds,
    failure: isRefused ? undefined : `${kind} was answered ${answer.status} ${answer.body}`,
  }
}

const refusal = JSON.stringify({ detail: 'Incorrect username or password.', code: 'wrong_credentials' })

async function makePeople(
  send: SendRequest,
  admin: string,
  count: number,
  log: (line: string) => void,
): Promise<void> {
  const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' }
  const call = async (method: string, target: string, body?: object) => {
    const answer = await send({ method, target, headers, body: JSON.stringify(body ?? {}) })
    if (answer.status >= 300) throw new Error(`${target} answered ${answer.status}: ${answer.body}`)
    return JSON.parse(answer.body) as { id: number }
  }
  for (let index = 0; index < count; index += 1) {
    for (const kind of ['wrong', 'inactive'] as const) {
      const username = `${kind}-${index}`
      const person = { username, name: username, email: `${username}@example.uz`, role_id: 2 }
      const { id } = await call('POST', '/api/admin/users/', { ...person, password: 'inactive-password' })
      if (kind === 'inactive') await call('PUT', `/api/admin/users/${id}/deactivate`)
    }
  }
  log(`${count * 2} accounts created`)
}

function summarize(extent: Extent, times: Record<Kind, number[]>, failures: string[]): PartResult {
  const typical = median(times.wrong)
  const pairs = [
    ['unknown', 'wrong'],
    ['unknown', 'inactive'],
    ['wrong', 'inactive'],
  ] as const
  const differences = pairs.map(([first, second]) => ({
    name: `${first} - ${second}`,
    ...compareMedians(times[first], times[second]),
  }))
  const significant = differences.filter(
    ({ difference, noise }) =>
      Math.abs(difference) > maxDifference[extent] * typical && Math.abs(difference) > 3 * noise,
  )
  const ms = (value: number) => `${value.toFixed(3)} ms`
  return {
    figures: {
      'attempts of each kind': times.wrong.length,
      ...Object.fromEntries(kinds.map((kind) => [`median, ${kind}`, ms(median(times[kind]))])),
      ...Object.fromEntries(
        differences.map(({ name, difference, noise }) => [name, `${ms(difference)}, noise ${ms(noise)}`]),
      ),
      'largest difference': `${((Math.max(...differences.map(({ difference }) => Math.abs(difference))) / typical) * 100).toFixed(2)} %`,
      'allowed difference': `${maxDifference[extent] * 100} %`,
    },
    failures: [
      ...failures,
      ...significant.map(({ name, difference }) => `${name} differ by ${ms(difference)}`),
    ],
  }
}
