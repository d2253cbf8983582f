import { hostileForm, plainForm, type Body } from './hostile.forms.ts'
import type { Operation } from './hostile.operations.ts'
import type { Random } from './hostile.random.ts'
import { hostileBody, mutated, valid, validObject, type FindId } from './hostile.schema.ts'
import { hostileText, hostileValue, rawJson, rawSegments } from './hostile.values.ts'

/** Who sends: an admin, a regular person, somebody who is signed in for this alone, or nobody. */
export type Who = 'admin' | 'regular' | 'throwaway' | 'nobody'

/** One hostile request. */
export interface Attack {
  operation: Operation
  who: Who
  method: string
  /** With its query, encoded or as broken as it is meant to be. */
  path: string
  headers: Record<string, string | string[]>
  body: Buffer | null
  /** Whether the address still leads to its operation for certain. */
  addressed: boolean
}

const methods = ['PATCH', 'PUT', 'POST', 'DELETE', 'GET', 'OPTIONS', 'HEAD', 'PROPFIND'] as const
/** Ids of operations that end or change what they are sent by. */
export const ownEnd =
  /^auth\.(logout|sessions\.end|profile\.update|second-factor)|^notices\.(link|unlink)|change-password/

/** An attack on an operation. `ids` finds ids that are there. */
export function attackOn(operation: Operation, random: Random, ids: FindIds): Attack {
  const who = whoFor(operation, random)
  const way = random.below(20)
  const address = addressOf(operation, random, ids, way < 3)
  const attack: Attack = {
    operation,
    who,
    method: way === 19 ? random.pick(methods) : operation.method,
    path: address + queryOf(operation, random, ids, way),
    headers: headersOf(random),
    body: null,
    addressed: way >= 3,
  }
  const body = bodyOf(operation, random, ids.of, way)
  if (body !== null) {
    attack.body = body.bytes
    if (body.type !== '') attack.headers['content-type'] = body.type
  }
  return attack
}

/** Where ids come from: by a field's name, or by the path of an operation. */
export interface FindIds {
  of: FindId
  at: (operation: Operation) => number | null
  /** Whether it could change whom attacks are sent in the name of: its ids come from `at` alone. */
  careful: (operation: Operation) => boolean
}

function whoFor({ id, secured }: Operation, random: Random): Who {
  if (ownEnd.test(id)) return random.chance(0.9) ? 'throwaway' : 'nobody'
  if (!secured) return random.chance(0.7) ? 'nobody' : 'regular'
  const dice = random.next()
  return dice < 0.82 ? 'admin' : dice < 0.93 ? 'regular' : 'nobody'
}

const leadsToFirst = /^(0?1|\+1|%31|1[?/%].*)$/

function addressOf(operation: Operation, random: Random, ids: FindIds, broken: boolean): string {
  const careful = ids.careful(operation)
  const segments = careful ? rawSegments.filter((each) => !leadsToFirst.test(each)) : rawSegments
  const path = operation.params.reduce((path, { name, schema }) => {
    const id = careful || random.chance(0.85) ? ids.at(operation) : null
    const value = broken ? random.pick(segments) : String(id ?? valid(schema, random, ids.of, name))
    return path.replace(`{${name}}`, () => (broken ? value : encodeURIComponent(value)))
  }, operation.path)
  if (!broken) return random.chance(0.3) ? `${path}/` : path
  return random.pick([
    path,
    `${path}/`,
    `${path}//`,
    `/${path}`,
    path.toUpperCase(),
    `${path}/..`,
    `${path};x`,
  ])
}

function queryOf(operation: Operation, random: Random, ids: FindIds, way: number): string {
  const pairs: string[] = []
  const attacked = way >= 3 && way < 12 && operation.query.length > 0 ? random.pick(operation.query).name : ''
  for (const { name, schema, required } of operation.query) {
    // One download at a time holds a connection of the database: those have a stress of their own.
    const rare = name === 'format' ? 0.02 : 0.12
    if (name === attacked)
      pairs.push(...hostilePairs(name, hostileTextOf(hostileBody(schema, random)), random))
    else if (required === true || random.chance(rare))
      pairs.push(`${name}=${encoded(String(valid(schema, random, ids.of, name)))}`)
  }
  if (random.chance(0.03)) pairs.push(`__proto__=1&constructor[prototype]=2&${encoded(hostileText(random))}`)
  if (random.chance(0.005)) for (let i = 0; i < 1500; i += 1) pairs.push(`k${i}=${i}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function hostilePairs(name: string, text: string, random: Random): string[] {
  const pair = `${name}=${encoded(text.slice(0, 20_000))}`
  const way = random.below(10)
  if (way === 0) return [pair, `${name}=second`]
  if (way === 1) return [`${name}[]=${encoded(text)}`, `${name}[a][b]=1`]
  if (way === 2) return [name]
  if (way === 3) return [`${name}=%FF%00%E2%28%A1`]
  if (way === 4) return [`${name}=%zz`, '&&==&', pair]
  return [pair]
}

const hostileTextOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '').slice(0, 4000)

/** As an address must be; halves of surrogate pairs cannot be encoded, and go as the bytes that no UTF-8 has. */
const encoded = (text: string) => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80')

function bodyOf(operation: Operation, random: Random, find: FindId, way: number): Body | null {
  const forms = operation.takes['multipart/form-data']
  const json = operation.takes['application/json']
  if (json === undefined && forms !== undefined) {
    if (random.chance(0.9)) return hostileForm(forms, random, find)
    return { type: random.pick(wrongTypes), bytes: Buffer.from(hostileText(random)) }
  }
  if (json === undefined) {
    if (operation.method === 'GET' || random.chance(0.7)) return null
    return { type: random.pick(wrongTypes), bytes: Buffer.from(random.pick(rawJson)) }
  }
  if (way === 12) return { type: 'application/json', bytes: Buffer.from(random.pick(rawJson)) }
  if (way === 13) return { type: random.pick(wrongTypes), bytes: Buffer.from(random.pick(rawJson)) }
  if (way === 14) return { type: 'application/json', bytes: broken(mutated(json, random, find), random) }
  if (way === 15) return { type: 'application/json', bytes: text(hostileValue(random)) }
  const body = way > 15 || way < 3 ? validObject(json, random, find) : mutated(json, random, find)
  if (forms !== undefined && random.chance(0.4)) return plainForm(body, `b${random.below(1e9)}`)
  return { type: 'application/json', bytes: text(body) }
}

const text = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '')

function broken(value: unknown, random: Random): Buffer {
  const bytes = text(value)
  const at = random.below(bytes.length)
  const way = random.below(3)
  if (way === 0) return bytes.subarray(0, at)
  if (way === 1) return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xc0, 0xed, 0xa0]), bytes])
  return Buffer.from(bytes.toString('utf8'), 'utf16le')
}

const wrongTypes: readonly string[] = [
  '',
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json;charset="',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/octet-stream',
  'APPLICATION/JSON',
  'json',
  '/',
  ';',
  'application/problem+json',
]

function headersOf(random: Random): Attack['headers'] {
  const headers: Attack['headers'] = {
    // Each from an address of its own, so that what one address may do hides nothing.
    'x-forwarded-for': `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`,
  }
  if (random.chance(0.9)) return headers
  const more: Attack['headers'][] = [
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
    { 'idempotency-key': hostileHeader(random) },
    { 'if-match': hostileHeader(random) },
    { cookie: 'a=b; '.repeat(500) },
    { 'accept-language': 'ru-'.repeat(1000) },
    { 'user-agent': '\xff'.repeat(3000) },
  ]
  return { ...headers, ...random.pick(more) }
}

const hostileHeader = (random: Random) =>
  random.pick([
    '',
    '"',
    '*',
    'x'.repeat(5000),
    '__proto__',
    '\xff\xfe',
    '00000000-0000-4000-8000-000000000000',
  ])
