import fc from 'fast-check'
import { hostileForm, plainForm, type Body } from './fuzz.forms.ts'
import type { Operation } from './fuzz.operations.ts'
import { hostileBody, validObject, type IdOfField } from './fuzz.schema.ts'
import { hostileText, hostileValue, inPercent, rawJson } from './fuzz.values.ts'

type BodyArbitrary = fc.Arbitrary<Body | null>

/** The bodies of an operation: `valid`, `hostile` with one hostile field, and `broken`, which cannot be parsed. */
export function bodiesOf(
  { bodies, method }: Operation,
  idOf: IdOfField,
): Record<'valid' | 'hostile' | 'broken', BodyArbitrary> {
  const form = bodies['multipart/form-data']
  const json = bodies['application/json']
  if (json === undefined) {
    const body = form === undefined ? unexpectedBody(method) : formOrText(hostileForm(form, idOf))
    return { valid: body, hostile: body, broken: body }
  }
  const encodedIn = (body: fc.Arbitrary<Record<string, unknown>>): BodyArbitrary =>
    form === undefined
      ? body.map(jsonBody)
      : fc.oneof({ weight: 6, arbitrary: body.map(jsonBody) }, { weight: 4, arbitrary: body.map(plainForm) })
  const hostile = hostileBody(json, idOf)
  return {
    valid: encodedIn(validObject(json, idOf)),
    hostile: encodedIn(hostile),
    broken: fc.oneof(
      fc.constantFrom(...rawJson).map((text) => ({ type: 'application/json', bytes: Buffer.from(text) })),
      bodyOfWrongType(fc.constantFrom(...rawJson)),
      fc
        .tuple(hostile.map(jsonBody), fc.noBias(fc.nat(99)), fc.constantFrom(...breaks))
        .map(([{ type, bytes }, percent, breakBytes]) => ({
          type,
          bytes: breakBytes(bytes, Math.floor((bytes.length * percent) / 100)),
        })),
      hostileValue.map(jsonBody),
    ),
  }
}

const jsonBody = (value: unknown): Body => ({
  type: 'application/json',
  bytes: Buffer.from(JSON.stringify(value) ?? ''),
})

const bodyOfWrongType = (texts: fc.Arbitrary<string>): fc.Arbitrary<Body> =>
  fc.tuple(fc.constantFrom(...wrongTypes), texts).map(([type, text]) => ({ type, bytes: Buffer.from(text) }))

const formOrText = (form: fc.Arbitrary<Body>): BodyArbitrary =>
  fc.oneof({ weight: 9, arbitrary: form }, { weight: 1, arbitrary: bodyOfWrongType(hostileText) })

/** A body for an operation without a body. */
const unexpectedBody = (method: string): BodyArbitrary =>
  method === 'GET'
    ? fc.constant(null)
    : inPercent(30, bodyOfWrongType(fc.constantFrom(...rawJson))).map((body) => body ?? null)

/** Functions that break JSON at a position. */
const breaks: readonly ((bytes: Buffer, place: number) => Buffer)[] = [
  (bytes, place) => bytes.subarray(0, place),
  (bytes, place) => Buffer.concat([bytes.subarray(0, place), Buffer.from([0xff, 0xc0, 0xed, 0xa0]), bytes]),
  (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le'),
]

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
