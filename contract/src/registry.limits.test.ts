import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { calls } from './registry.ts'

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  patternProperties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  maxProperties?: number
}

/** Whether a pattern limits the length of a text: it is anchored, and none of its parts repeats without a limit. */
const bounds = (pattern = '*') => /^\^.*\$$/.test(pattern) && !/[*+]|,\}/.test(pattern)

/** Returns where a value has no limit of size; `at` is the place. */
function findUnlimited(shape: Shape, at: string): string[] {
  if (shape.const !== undefined || shape.enum !== undefined || shape.format !== undefined) return []
  if (shape.anyOf !== undefined)
    return shape.anyOf.flatMap((option, i) => findUnlimited(option, `${at}|${i}`))
  switch (shape.type ?? 'anything') {
    case 'string':
      return shape.maxLength === undefined && !bounds(shape.pattern) ? [`${at}: a text of any length`] : []
    case 'integer':
    case 'number':
      return shape.minimum === undefined || shape.maximum === undefined ? [`${at}: any number`] : []
    case 'array':
      return [
        ...(shape.maxItems === undefined ? [`${at}: a list of any length`] : []),
        ...findUnlimited(shape.items ?? {}, `${at}[]`),
      ]
    case 'object': {
      const properties = Object.entries(shape.properties ?? {})
      const free = shape.patternProperties !== undefined || shape.properties === undefined
      const open = free && shape.maxProperties === undefined
      return [
        ...(open ? [`${at}: an object of any size`] : []),
        ...properties.flatMap(([name, property]) => findUnlimited(property, `${at}.${name}`)),
      ]
    }
    case 'boolean':
    case 'null':
      return []
    default:
      return [`${at}: anything at all`]
  }
}

const inCall = (id: string, part: string, schema: TSchema | undefined) =>
  schema === undefined ? [] : findUnlimited(schema, `${id} ${part}`)

test('every value of a request has a limit', () => {
  const unlimitedShapes = calls
    // A postback is read by its handler, which logs what it refuses; the address and the body bound it.
    .filter(({ id }) => id !== 'postbacks.receive')
    .flatMap(({ id, params, query, body, form }) => [
      ...inCall(id, 'path', params),
      ...inCall(id, 'query', query),
      ...inCall(id, 'body', body),
      ...inCall(id, 'form', form),
    ])
  expect(unlimitedShapes).toEqual([])
})

/** Returns where an answer may have a list without a limit. */
function endlessLists(shape: Shape, at: string): string[] {
  const inner = [
    ...(shape.anyOf ?? []).map((option) => endlessLists(option, at)),
    ...Object.entries(shape.properties ?? {}).map(([name, property]) =>
      endlessLists(property, `${at}.${name}`),
    ),
  ].flat()
  if (shape.type !== 'array') return inner
  return [...(shape.maxItems === undefined ? [at] : []), ...endlessLists(shape.items ?? {}, `${at}[]`)]
}

test('every list of an answer has a limit', () => {
  expect(calls.flatMap(({ id, answer }) => (answer === undefined ? [] : endlessLists(answer, id)))).toEqual(
    [],
  )
})

test('the search for missing limits finds each kind', () => {
  const shape: Shape = {
    type: 'object',
    properties: {
      text: { type: 'string', minimum: 1 },
      pattern: { type: 'string', pattern: '^a+$' },
      number: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
      list: { type: 'array', items: { type: 'string' } },
      map: { type: 'object', patternProperties: { '^.*$': {} } },
      unknown: {},
    },
  }
  expect(findUnlimited(shape, 'x')).toHaveLength(7)
})
