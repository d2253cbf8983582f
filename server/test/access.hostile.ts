import { calls } from '@karvon/contract/registry.ts'
import { errorMessages } from '@karvon/contract/lib/error-messages.ts'
import type { Caller } from './access.callers.ts'
import {
  buildAuthorization,
  isDenied,
  isUnavailable,
  sessionEnders,
  type CellResults,
} from './access.cells.ts'
import { operations, type Operation } from './access.operations.ts'
import { mapConcurrently, type Answer, type RawRequest, type SendRequest } from './access.send.ts'

const queryValues = [
  '-1',
  '1e9',
  '9007199254740993',
  '9223372036854775808',
  '1e400',
  '%00',
  '%ED%A0%80',
  '__proto__',
  '0001-01-01',
  '9999-12-31',
  '2026-02-30',
  '',
]
const queries = [
  'page=1e9',
  'page=-1&per_page=0',
  'page=1&page=2&sort=nobody',
  'sort[]=id&__proto__=1&constructor[prototype]=1',
  'start_date=9999-12-31&end_date=0001-01-01&date_from=9999-12-31&date_to=0001-01-01',
  'start_date=0001-01-01&end_date=0001-01-02&date_from=9999-12-30&date_to=9999-12-31',
]
/** The values of a path. No row has them as its id. */
const segments = ['9223372036854775808', '1e400', '%00', '%ED%A0%80', '__proto__', '-1']
/** JSON of a value that all fields of a body get. */
const fieldValues = [
  '9223372036854775808',
  '1e400',
  String.raw`"\u0000"`,
  String.raw`"\ud800"`,
  '[[1]]',
  '{"__proto__":1}',
  '-1',
  '""',
]
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
const bodies = [
  '\uFEFF{"a":1}',
  'null',
  '{"__proto__":{"a":1},"constructor":1}',
  `{"a":${deep}}`,
  Buffer.from('{"a":"\xff\xfe"}', 'latin1'),
]

/**
 * Sends hostile requests to each operation as callers who have the right. Each must get a clear error or an answer, and no error of the
 * server. A person must not read the name of another one.
 */
export async function checkHostileRequests(
  send: SendRequest,
  callers: readonly Caller[],
  foreignName: string,
): Promise<CellResults> {
  const attempts = operations
    .filter(({ name }) => !sessionEnders.has(name))
    .flatMap((operation, index) =>
      callers.flatMap((caller) =>
        isDenied(operation, caller.level)
          ? []
          : buildRequests(operation, index).map((request) => ({ operation, caller, request })),
      ),
    )
  const failures = await mapConcurrently(attempts, async ({ operation, caller, request }) => {
    const authorization = buildAuthorization(await caller.token())
    const answer = await send({ ...request, headers: { ...request.headers, ...authorization } })
    const problem = findProblem(operation, answer, caller.level === 'person' ? foreignName : null)
    const { method, target, body = '' } = request
    return problem === null
      ? []
      : [`${caller.name}: ${method} ${target} ${String(body).slice(0, 80)} ${problem}`]
  })
  return { cells: attempts.length, failures: failures.flat() }
}

/** Each operation gets some of the values, and all operations together all of them. */
function buildRequests({ name, method, path }: Operation, index: number): RawRequest[] {
  const call = calls.find(({ id }) => id === name.split(' ')[0])
  const fields = listProperties(call?.body)
  const parameters = listProperties(call?.query)
  const choose = <T>(values: readonly T[], count: number) =>
    Array.from({ length: count }, (_, at) => values[(index * count + at) % values.length] as T)
  const ofPath = path.includes('999999999')
    ? choose(segments, 2).map((segment) => ({ method, target: path.replace('999999999', segment) }))
    : []
  const ofQuery =
    parameters.length === 0
      ? []
      : [
          ...choose(queries, 3),
          ...choose(parameters, 3).map(
            (parameter, at) => `${parameter}=${queryValues[(index + at) % queryValues.length]}`,
          ),
        ].map((query) => ({ method, target: `${path}?${query}` }))
  const ofBody =
    fields.length === 0
      ? []
      : [
          ...choose(fieldValues, 4).map(
            (value) => `{${fields.map((field) => `"${field}":${value}`).join(',')}}`,
          ),
          ...choose(bodies, 2),
        ].map((body) => ({ method, target: path, headers: { 'content-type': 'application/json' }, body }))
  return [...ofPath, ...ofQuery, ...ofBody]
}

const listProperties = (schema: { properties?: object } | undefined): string[] =>
  Object.keys(schema?.properties ?? {})

function findProblem(
  operation: Operation,
  { status, body }: Answer,
  foreignName: string | null,
): string | null {
  const head = `was answered ${status} ${body.slice(0, 200)}`
  if (status >= 500 && !isUnavailable(operation, status)) return head
  if (status >= 400 && !Object.hasOwn(errorMessages, readCode(body))) return `${head}, without a code`
  return foreignName !== null && body.includes(foreignName) ? `${head}, with ${foreignName}` : null
}

function readCode(body: string): string {
  try {
    return String((JSON.parse(body) as { code?: unknown }).code)
  } catch {
    return ''
  }
}
