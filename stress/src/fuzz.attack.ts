import fc from 'fast-check'
import { bodiesOf } from './fuzz.bodies.ts'
import type { Body } from './fuzz.forms.ts'
import type { Operation } from './fuzz.operations.ts'
import { hostileQueryOf, queryOf } from './fuzz.query.ts'
import { validValue, type IdOfField } from './fuzz.schema.ts'
import { inPercent, rawSegments } from './fuzz.values.ts'

/** The sender: an admin, a regular person, a person whose session may end, or nobody. */
export type AttackRole = 'admin' | 'regular' | 'throwaway' | 'anonymous'

/** One hostile request. */
export interface Attack {
  operation: Operation
  role: AttackRole
  method: string
  /** The path with the query, which may be broken on purpose. */
  path: string
  headers: Record<string, string | string[]>
  body: Buffer | null
  /** True if the path certainly belongs to the operation. */
  reachesOperation: boolean
}

const methods = ['PATCH', 'PUT', 'POST', 'DELETE', 'GET', 'OPTIONS', 'HEAD', 'PROPFIND'] as const
/** Operations that end or change the session of their sender. */
export const ownSessionOperations =
  /^auth\.(logout|sessions\.end|profile\.update|second-factor)|^notices\.(link|unlink)|change-password/

/** Known ids, for a field or for the path of an operation. */
export interface KnownIds {
  ofField: IdOfField
  ofPath: (operation: Operation) => fc.Arbitrary<number | null>
  /** True if the operation could change the senders of attacks. Its ids come from `ofPath` alone. */
  mayChangeSenders: (operation: Operation) => boolean
}

/** The parts of an attack. Each part is shrunk separately. */
interface AttackParts {
  role: fc.Arbitrary<AttackRole>
  method: fc.Arbitrary<string>
  address: fc.Arbitrary<string>
  query: fc.Arbitrary<string>
  headers: fc.Arbitrary<Attack['headers']>
  body: fc.Arbitrary<Body | null>
  reachesOperation: fc.Arbitrary<boolean>
}

/** Generates attacks on an operation: valid requests with one hostile part. */
export function generateAttacks(operation: Operation, ids: KnownIds): fc.Arbitrary<Attack> {
  const bodies = bodiesOf(operation, ids.ofField)
  const valid: AttackParts = {
    role: senderOf(operation),
    method: fc.constant(operation.method),
    address: addressOf(operation, ids),
    query: queryOf(operation, ids.ofField),
    headers: hostileHeaders,
    body: bodies.valid,
    reachesOperation: fc.constant(true),
  }
  const brokenParts = { address: brokenAddressOf(operation, ids), reachesOperation: fc.constant(false) }
  const hostile = { query: hostileQueryOf(operation, ids.ofField), body: bodies.hostile }
  const shapes: [number, Partial<AttackParts>][] = [
    [3, {}],
    [3, brokenParts],
    [9, hostile],
    [4, { body: bodies.broken }],
    [1, { method: fc.constantFrom(...methods) }],
  ]
  return fc.oneof(
    ...shapes.map(([weight, parts]) => ({
      weight,
      arbitrary: fc.record<AttackValues>({ ...valid, ...parts }).map((values) => attack(operation, values)),
    })),
  )
}

type AttackValues = {
  [Part in keyof AttackParts]: AttackParts[Part] extends fc.Arbitrary<infer T> ? T : never
}

function attack(operation: Operation, { address, query, headers, body, ...rest }: AttackValues): Attack {
  return {
    operation,
    ...rest,
    path: address + query,
    headers: body === null || body.type === '' ? headers : { ...headers, 'content-type': body.type },
    body: body?.bytes ?? null,
  }
}

function senderOf({ id, isSecured }: Operation): fc.Arbitrary<AttackRole> {
  const shares: [AttackRole, number][] = ownSessionOperations.test(id)
    ? [
        ['throwaway', 90],
        ['anonymous', 10],
      ]
    : isSecured
      ? [
          ['admin', 82],
          ['regular', 11],
          ['anonymous', 7],
        ]
      : [
          ['anonymous', 70],
          ['regular', 30],
        ]
  return fc.oneof(...shares.map(([role, weight]) => ({ weight, arbitrary: fc.constant(role) })))
}

const leadsToFirst = /^(0?1|\+1|%31|1[?/%].*)$/

function addressOf(operation: Operation, ids: KnownIds): fc.Arbitrary<string> {
  const values = operation.params.map(({ name, schema }) => {
    const id = ids.ofPath(operation)
    return fc
      .tuple(ids.mayChangeSenders(operation) ? id : inPercent(85, id), validValue(schema, ids.ofField, name))
      .map(([id, fallback]) => encodeURIComponent(String(id ?? fallback)))
  })
  return fc
    .tuple(fc.tuple(...values), inPercent(30, fc.constant('/')))
    .map(([values, end = '']) => filledPath(operation, values) + end)
}

const brokenPaths: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => `${path}/..`,
  (path) => `${path};x`,
]

function brokenAddressOf(operation: Operation, ids: KnownIds): fc.Arbitrary<string> {
  const segments = ids.mayChangeSenders(operation)
    ? rawSegments.filter((segment) => !leadsToFirst.test(segment))
    : rawSegments
  const values = operation.params.map(() => fc.constantFrom(...segments))
  return fc
    .tuple(fc.tuple(...values), fc.constantFrom(...brokenPaths))
    .map(([values, breakPath]) => breakPath(filledPath(operation, values)))
}

const filledPath = ({ params, path }: Operation, values: readonly string[]) =>
  params.reduce((text, { name }, place) => text.replace(`{${name}}`, () => values[place] ?? ''), path)

const hostileHeader = fc.constantFrom(
  '',
  '"',
  '*',
  'x'.repeat(5000),
  '__proto__',
  '\xff\xfe',
  '00000000-0000-4000-8000-000000000000',
)

const hostileHeaders: fc.Arbitrary<Attack['headers']> = inPercent(
  10,
  fc.oneof(
    {
      weight: 15,
      arbitrary: fc.constantFrom<Attack['headers'][]>(
        { 'content-encoding': 'gzip' },
        { 'content-encoding': 'br, deflate' },
        { accept: 'application/xml' },
        { 'accept-encoding': 'gzip;q=0, *;q=0' },
        { 'x-request-id': "'; drop table users" },
        { 'x-request-id': 'a'.repeat(5000) },
        { 'x-forwarded-for': 'not an address, ::1, 999.1.1.1' },
        { 'x-http-method-override': 'DELETE' },
        { range: 'bytes=0-18446744073709551615' },
        { 'if-none-match': '*' },
        { origin: 'null' },
        { expect: 'nothing' },
        { cookie: 'a=b; '.repeat(500) },
        { 'accept-language': 'ru-'.repeat(1000) },
        { 'user-agent': '\xff'.repeat(3000) },
      ),
    },
    { weight: 1, arbitrary: hostileHeader.map((value) => ({ 'idempotency-key': value })) },
    { weight: 1, arbitrary: hostileHeader.map((value) => ({ 'if-match': value })) },
  ),
).map((headers) => headers ?? {})
