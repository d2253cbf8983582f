import type { Caller, AccessLevel } from './access.callers.ts'
import { operations, type Operation } from './access.operations.ts'
import { mapConcurrently, type Answer, type SendRequest, type RawRequest } from './access.send.ts'

/** The number of checked cells, and a sentence for each failure. */
export interface CellResults {
  cells: number
  failures: string[]
}

/** These end the caller's session, so they run last and one by one. */
export const sessionEnders = new Set(['auth.logout', 'auth.sessions.end'])

/** Checks every operation with every caller. */
export async function checkMatrix(send: SendRequest, callers: readonly Caller[]): Promise<CellResults> {
  const checkCell = async (operation: Operation, caller: Caller, own?: 'own') => {
    const token = await caller.token(own)
    const answer = await send({ ...buildPlainRequest(operation), headers: buildAuthorization(token) })
    return findFailures(operation, caller.level, answer).map(
      (text) => `${operation.name} by ${caller.name}: ${text}`,
    )
  }
  const sharedOperations = operations.filter(({ name }) => !sessionEnders.has(name))
  const pairs = sharedOperations.flatMap((operation) => callers.map((caller) => ({ operation, caller })))
  const failures = (
    await mapConcurrently(pairs, ({ operation, caller }) => checkCell(operation, caller))
  ).flat()
  for (const operation of operations.filter(({ name }) => sessionEnders.has(name)))
    for (const caller of callers) failures.push(...(await checkCell(operation, caller, 'own')))
  return { cells: operations.length * callers.length, failures }
}

/**
 * Sends malformed requests to each guarded operation as callers without the right. Each must get only the refusal,
 * whatever else is wrong with the request.
 */
export async function checkMalformedRequests(
  send: SendRequest,
  callers: readonly Caller[],
): Promise<CellResults> {
  const attempts = operations.flatMap((operation) =>
    callers.flatMap((caller) =>
      isDenied(operation, caller.level)
        ? buildMalformedRequests(operation).map((request) => ({ operation, caller, sent: request }))
        : [],
    ),
  )
  const failures = await mapConcurrently(attempts, async ({ operation, caller, sent: request }) => {
    const answer = await send({
      ...request,
      headers: { ...request.headers, ...buildAuthorization(await caller.token()) },
    })
    return findFailures(operation, caller.level, answer).map(
      (text) => `${operation.name} by ${caller.name} as ${request.method} ${request.target}: ${text}`,
    )
  })
  return { cells: attempts.length, failures: failures.flat() }
}

const buildPlainRequest = ({ method, path }: Operation): RawRequest => ({ method, target: path })

function buildMalformedRequests({ method, path }: Operation): RawRequest[] {
  const badPath = path.replaceAll('999999999', 'x%27--')
  const request: RawRequest[] = [
    { method, target: `${badPath}?page=x&page=-1&per_page=1e9&sort=%00&__proto__=1` },
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
  // A GET has no body.
  return method === 'GET' ? request.slice(0, 1) : request
}

export const buildAuthorization = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` }

const rank: Record<AccessLevel | 'public', number> = { public: 0, nobody: 0, person: 1, admin: 2 }

/** Whether the table denies the operation to this caller. */
export const isDenied = ({ guard }: Operation, level: AccessLevel): boolean => rank[level] < rank[guard]

const refusals = {
  401: { detail: 'Sign in to continue.', code: 'unauthenticated' },
  403: { detail: 'Only an administrator may do this.', code: 'forbidden' },
} as const

/** Lists the failures of an answer to this caller. */
function findFailures(operation: Operation, level: AccessLevel, { status, headers, body }: Answer): string[] {
  if (!isDenied(operation, level)) {
    const isRefused = status === 401 || status === 403 || status >= 500
    return isRefused && !isUnavailable(operation, status) ? [`was answered ${status} ${body}`] : []
  }
  const expected = level === 'nobody' ? 401 : 403
  const failures = []
  if (status !== expected) failures.push(`was answered ${status} in place of ${expected}`)
  if (body !== JSON.stringify(refusals[expected])) failures.push(`reads ${body.slice(0, 200)}`)
  if (expected === 401 && headers['www-authenticate'] !== 'Bearer') failures.push('does not name the scheme')
  if (headers['cache-control'] !== 'no-store') failures.push('may be stored')
  return failures
}

/** Whether the operation needs a Telegram bot, which this product does not have. */
export const isUnavailable = ({ name }: Operation, status: number) =>
  name.startsWith('notices.') && status === 503
