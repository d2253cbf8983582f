import type { Caller, Standing } from './access.callers.ts'
import { operations, type Operation } from './access.operations.ts'
import { eachAtOnce, type Answer, type SendAs, type Sent } from './access.send.ts'

/** How many cells were looked at, and a sentence for each that is wrong. */
export interface Found {
  cells: number
  wrong: string[]
}

/** These end sessions of who makes them, so they come last and one by one. */
const enders = new Set(['auth.logout', 'auth.sessions.end'])

/** Every operation by every caller. */
export async function matrixCells(send: SendAs, callers: readonly Caller[]): Promise<Found> {
  const cell = async (operation: Operation, caller: Caller, own?: 'own') => {
    const token = await caller.token(own)
    const answer = await send({ ...plain(operation), headers: bearer(token) })
    return fault(operation, caller.standing, answer).map(
      (text) => `${operation.name} by ${caller.name}: ${text}`,
    )
  }
  const wide = operations.filter(({ name }) => !enders.has(name))
  const pairs = wide.flatMap((operation) => callers.map((caller) => ({ operation, caller })))
  const wrong = (await eachAtOnce(pairs, ({ operation, caller }) => cell(operation, caller))).flat()
  for (const operation of operations.filter(({ name }) => enders.has(name)))
    for (const caller of callers) wrong.push(...(await cell(operation, caller, 'own')))
  return { cells: operations.length * callers.length, wrong }
}

/**
 * Whatever else is wrong with a request, who may not make it learns only that: each guarded operation with broken
 * bodies, types, sizes and addresses, by nobody and by who has too little right.
 */
export async function brokenCells(send: SendAs, callers: readonly Caller[]): Promise<Found> {
  const tries = operations.flatMap((operation) =>
    callers.flatMap((caller) =>
      mayNot(operation, caller.standing)
        ? broken(operation).map((sent) => ({ operation, caller, sent }))
        : [],
    ),
  )
  const wrong = await eachAtOnce(tries, async ({ operation, caller, sent }) => {
    const answer = await send({ ...sent, headers: { ...sent.headers, ...bearer(await caller.token()) } })
    return fault(operation, caller.standing, answer).map(
      (text) => `${operation.name} by ${caller.name} as ${sent.method} ${sent.target}: ${text}`,
    )
  })
  return { cells: tries.length, wrong: wrong.flat() }
}

const plain = ({ method, path }: Operation): Sent => ({ method, target: path })

function broken({ method, path }: Operation): Sent[] {
  const bad = path.replaceAll('999999999', 'x%27--')
  const sent: Sent[] = [
    { method, target: `${bad}?page=x&page=-1&per_page=1e9&sort=%00&__proto__=1` },
    { method, target: path, headers: { 'content-type': 'application/xml' }, body: '<x/>' },
    { method, target: path, headers: { 'content-type': 'application/json' }, body: '{"id":' },
    { method, target: path, headers: { 'content-type': 'multipart/form-data' }, body: '--x' },
    {
      method,
      target: path,
      headers: { 'content-type': 'application/json', 'content-length': '900000000' },
      body: '{',
    },
  ]
  // What has no body by its nature is not sent one.
  return method === 'GET' ? sent.slice(0, 1) : sent
}

export const bearer = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` }

const rank: Record<Standing | 'public', number> = { public: 0, nobody: 0, person: 1, admin: 2 }

/** Whether the table keeps that caller out. */
export const mayNot = ({ who }: Operation, standing: Standing): boolean => rank[standing] < rank[who]

const refusals = {
  401: { detail: 'Sign in to go on.', code: 'unauthenticated' },
  403: { detail: 'Only an administrator may do this.', code: 'forbidden' },
} as const

/** What is wrong with an answer to this caller. */
function fault(operation: Operation, standing: Standing, { status, headers, body }: Answer): string[] {
  if (!mayNot(operation, standing)) {
    const refused = status === 401 || status === 403 || status >= 500
    return refused && !unready(operation, status) ? [`was answered ${status} ${body}`] : []
  }
  const expected = standing === 'nobody' ? 401 : 403
  const wrong = []
  if (status !== expected) wrong.push(`was answered ${status} in place of ${expected}`)
  if (body !== JSON.stringify(refusals[expected])) wrong.push(`reads ${body.slice(0, 200)}`)
  if (expected === 401 && headers['www-authenticate'] !== 'Bearer') wrong.push('does not name the scheme')
  if (headers['cache-control'] !== 'no-store') wrong.push('may be stored')
  return wrong
}

/** A product without a bot says so of what needs one. */
const unready = ({ name }: Operation, status: number) => name.startsWith('notices.') && status === 503
