import fc from 'fast-check'
import type { Operation } from './fuzz.operations.ts'
import { hostileField, validValue, type IdOfField } from './fuzz.schema.ts'
import { hostileText, inPercent } from './fuzz.values.ts'

/** The pairs of a query by parameter. */
type Query = Record<string, string[] | undefined>

function pairsOf({ query }: Operation, idOf: IdOfField): fc.Arbitrary<Query> {
  const pairs = query.map(({ name, schema, required }) => {
    const pair = validValue(schema, idOf, name).map((value) => [`${name}=${encodeText(String(value))}`])
    // A download holds a connection of the database. The stress part "resources" sends many of them.
    return [name, required === true ? pair : inPercent(name === 'format' ? 2 : 12, pair)] as const
  })
  return fc.record(Object.fromEntries(pairs), { noNullPrototype: true })
}

/** Pairs of unknown parameters. */
const unknownPairs: fc.Arbitrary<string[]> = fc
  .tuple(
    inPercent(
      3,
      hostileText.map((text) => [`__proto__=1&constructor[prototype]=2&${encodeText(text)}`]),
    ),
    inPercent(1, fc.constant(Array.from({ length: 1500 }, (_, i) => `k${i}=${i}`))),
  )
  .map((pairs) => pairs.flatMap((queryPair) => queryPair ?? []))

const joinedQuery = (knownPairs: fc.Arbitrary<Query>): fc.Arbitrary<string> =>
  fc.tuple(knownPairs, unknownPairs).map(([query, extraPairs]) => {
    const pairs = [...Object.values(query).flatMap((value) => value ?? []), ...extraPairs]
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`
  })

export const queryOf = (operation: Operation, idOf: IdOfField) => joinedQuery(pairsOf(operation, idOf))

/** A query with one hostile parameter, if the operation has any. */
export function hostileQueryOf(operation: Operation, idOf: IdOfField): fc.Arbitrary<string> {
  if (operation.query.length === 0) return queryOf(operation, idOf)
  const schemas = Object.fromEntries(operation.query.map(({ name, schema }) => [name, schema]))
  return joinedQuery(
    fc
      .tuple(pairsOf(operation, idOf), hostileField(schemas), hostilePairs)
      .map(([query, [name, value], pairs]) => ({ ...query, [name]: pairs(name, textOf(value)) })),
  )
}

const pair = (name: string, text: string) => `${name}=${encodeText(text.slice(0, 20_000))}`

/** The spellings of a hostile parameter. Half of the requests have the usual one. */
const hostilePairs = fc.oneof(
  { weight: 5, arbitrary: fc.constant((name: string, text: string) => [pair(name, text)]) },
  {
    weight: 5,
    arbitrary: fc.constantFrom<((name: string, text: string) => string[])[]>(
      (name, text) => [pair(name, text), `${name}=second`],
      (name, text) => [`${name}[]=${encodeText(text)}`, `${name}[a][b]=1`],
      (name) => [name],
      (name) => [`${name}=%FF%00%E2%28%A1`],
      (name, text) => [`${name}=%zz`, '&&==&', pair(name, text)],
    ),
  },
)

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '').slice(0, 4000)

/** Encodes a text for a URL. Halves of surrogate pairs have no encoding, so they become bytes that are not UTF-8. */
function encodeText(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}
