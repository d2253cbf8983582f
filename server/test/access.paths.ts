import type { Caller } from './access.callers.ts'
import { buildAuthorization, isDenied, type CellResults } from './access.cells.ts'
import { operations, type Operation } from './access.operations.ts'
import { mapConcurrently, type Answer, type SendRequest, type RawRequest } from './access.send.ts'

/** Checks each guarded operation at other spellings of its path, with the last of the callers that have no right to it. */
export async function checkPaths(send: SendRequest, callers: readonly Caller[]): Promise<CellResults> {
  const attempts = operations.flatMap((operation) => {
    const caller = callers.findLast(({ level }) => isDenied(operation, level))
    if (caller === undefined) return []
    return buildSpellings(operation).map((request) => ({ operation, caller, sent: request }))
  })
  const failures = await mapConcurrently(attempts, async ({ operation, caller, sent: request }) => {
    const answer = await send({
      ...request,
      headers: { ...request.headers, ...buildAuthorization(await caller.token()) },
    })
    if (isRefused(request, answer)) return []
    const head = `${answer.status} ${answer.body.slice(0, 100)}`
    return [`${operation.name} by ${caller.name} as ${request.method} ${request.target}: ${head}`]
  })
  return { cells: attempts.length, failures: failures.flat() }
}

function buildSpellings(operation: Operation): RawRequest[] {
  const { method } = operation
  const path = operation.path.replace(/\/$/, '')
  const spelledRequests = [...new Set(spellPath(path))].map((target) => ({ method, target }))
  // A server may check one method and run the other.
  const overrideRequests = ['x-http-method-override', 'x-http-method', 'x-method-override'].map((name) => ({
    method: method === 'POST' ? 'GET' : 'POST',
    target: path,
    headers: { [name]: method },
  }))
  const rewriteRequests = ['x-original-url', 'x-rewrite-url', 'x-forwarded-path'].map((name) => ({
    method,
    target: '/healthz/x',
    headers: { [name]: path },
  }))
  return [
    ...spelledRequests,
    ...overrideRequests,
    ...rewriteRequests,
    { method: 'HEAD', target: path },
    { method: 'OPTIONS', target: path },
    { method: 'GET', target: path, headers: { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' } },
  ]
}

function spellPath(path: string): string[] {
  const last = path.slice(path.lastIndexOf('/') + 1)
  const hex = (text: string) =>
    text.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return [
    path,
    `${path}/`,
    `${path}//`,
    `/${path}`,
    path.replaceAll('/', '//'),
    path.toUpperCase(),
    path.replace(/[a-z]/g, (letter, at: number) => (at % 2 === 0 ? letter.toUpperCase() : letter)),
    path.replace('/a', '/A').replace('/p', '/P'),
    path.replaceAll('/', '%2f').replace('%2f', '/'),
    path.replaceAll('/', '%2F'),
    path.replace(last, hex(last)),
    hex(path).replace('%2f', '/'),
    path.replace('a', '%61'),
    path.replace('a', '%2561'),
    `/.${path}`,
    `/%2e${path}`,
    path.replace('/', '/./').replaceAll('/a', '/./a'),
    `/x/..${path}`,
    `/x/%2e%2e${path}`,
    `/assets/..${path}`,
    `/assets/%2e%2e%2f${path.slice(1)}`,
    `/api/app/settings/../..${path}`,
    `/healthz/..;${path}`,
    `${path};x`,
    `${path};x=1/`,
    path.replace(last, `;x=1/${last}`),
    `${path}%00`,
    `${path}%20`,
    `${path}%0a`,
    `${path}%0d%0aX:1`,
    `${path}%c0%af`,
    `${path}.json`,
    `${path}.`,
    `${path}?format=csv`,
    `${path}/?format=xlsx&token=x`,
    `${path}?access_token=x`,
    `${path}#x`,
    path.replaceAll('/', '\\'),
    `/\\${path}`,
    path.replace('/', '/\\'),
    path.replaceAll('/', '%5c'),
    `http://127.0.0.1${path}`,
    `http://elsewhere.example${path}/`,
    `//elsewhere.example${path}`,
    `///${path}`,
    `/http://elsewhere.example${path}`,
  ]
}

const refusing = new Set([400, 401, 403, 404, 405, 413, 414, 415])

/** The web's own page may stand at an address that no call has. */
function isRefused({ method }: RawRequest, { status, headers, body }: Answer): boolean {
  if (refusing.has(status)) return true
  if (method === 'OPTIONS' && status === 204 && body === '') return true
  return status === 200 && method === 'GET' && String(headers['content-type']).startsWith('text/html')
}
