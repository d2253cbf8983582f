import fc from 'fast-check'
import type { Schema } from './fuzz.operations.ts'
import { hostileNumber, hostileText, hostileValue, inPercent, repeatedText } from './fuzz.values.ts'

/** An id of a row that a field such as `source_id` can refer to; null if none is known. */
export type IdOfField = (field: string) => fc.Arbitrary<number | null>

/** A value that the schema accepts. Valid values make the product read the hostile value beside them. */
export function validValue(schema: Schema, idOf: IdOfField, field = ''): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((option) => validValue(option, idOf, field)))
  const { minimum = 0, maximum = 1000, minItems = 0 } = schema
  switch (schema.type ?? 'anything') {
    case 'object':
      return validObject(schema, idOf)
    case 'array':
      return fc.array(validValue(schema.items ?? {}, idOf, field), {
        minLength: minItems,
        maxLength: Math.max(minItems, 2),
      })
    case 'integer':
      return fc
        .tuple(
          inPercent(90, idOf(field)),
          fc.noBias(fc.integer({ min: minimum, max: Math.max(minimum, Math.min(minimum + 49, maximum)) })),
        )
        .map(([id, fallback]) => id ?? fallback)
    case 'number':
      return fc.noBias(fc.nat(100_000)).map((hundredths) => Math.max(minimum, hundredths / 100))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return validText(schema)
    default:
      return fc.constantFrom<unknown[]>('text', 1, '2026-11-01')
  }
}

/** An object that the schema accepts. An omitted field is undefined, and neither JSON nor a form contains it. */
export function validObject(schema: Schema, idOf: IdOfField): fc.Arbitrary<Record<string, unknown>> {
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const value = validValue(property, idOf, name)
    return [name, required.has(name) ? value : inPercent(60, value)] as const
  })
  return fc.record(Object.fromEntries(fields), { noNullPrototype: true })
}

function validText({ format, pattern, minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<string> {
  const number = fc.noBias(fc.nat(999_999))
  if (format === 'date')
    return fc.integer({ min: 1, max: 12 }).map((month) => `2026-${String(month).padStart(2, '0')}-15`)
  if (format === 'date-time') return fc.constant('2026-11-21T09:42:00+05:00')
  if (pattern?.includes('@')) return number.map((value) => `person${value}@example.com`)
  // No program listens at this address, because the product calls some of the URLs.
  if (pattern?.includes('[hH][tT][tT][pP]')) return number.map((value) => `http://127.0.0.1:9/${value}`)
  if (pattern?.includes('[A-Z]{3}')) return fc.constant('UZS')
  if (pattern?.includes('\\d{4}') || pattern?.includes('[0-9a-f]{8}'))
    return fc.stringMatching(new RegExp(pattern))
  return number.map((value) => `t${value}`.padEnd(minLength, 'x').slice(0, maxLength))
}

/** A value that the schema refuses, or a value at a limit of the schema. */
function hostileFieldValue(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 1, arbitrary: hostileValue }, { weight: 3, arbitrary: edgeValue(schema) })
}

function edgeValue(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(hostileFieldValue))
  const { minimum = 0, maximum = 0, minLength = 0, maxLength, maxItems = 1000 } = schema
  switch (schema.type ?? 'anything') {
    case 'integer':
    case 'number': {
      const edges = [minimum, maximum].flatMap((edge) => [edge - 1, edge, edge + 1, edge + 0.5])
      return fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...edges) },
        { weight: 2, arbitrary: hostileNumber },
      )
    }
    case 'string': {
      if (maxLength === undefined) return hostileText
      const lengths = [Math.max(0, minLength - 1), maxLength, maxLength + 1]
      return fc.oneof({ weight: 2, arbitrary: repeatedText(lengths) }, { weight: 3, arbitrary: hostileText })
    }
    case 'array':
      return fc.oneof(
        fc.constantFrom(...[0, 1, maxItems + 1].map((length) => Array.from({ length }, () => 1))),
        fc.array(hostileValue, { minLength: 1, maxLength: 3 }),
      )
    default:
      return hostileValue
  }
}

/** One hostile value for one of the fields. */
export const hostileField = (fields: Readonly<Record<string, Schema>>): fc.Arbitrary<[string, unknown]> =>
  fc.oneof(
    ...Object.entries(fields).map(([name, schema]) => fc.tuple(fc.constant(name), hostileFieldValue(schema))),
  )

/** A valid body in which one field is hostile or missing, or which has unknown fields. */
export function hostileBody(schema: Schema, idOf: IdOfField): fc.Arbitrary<Record<string, unknown>> {
  const fields = schema.properties ?? {}
  const names = Object.keys(fields)
  if (names.length === 0)
    return fc.tuple(hostileText, hostileValue).map(([name, value]) => ({ [name]: value }))
  const change = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...names).map((name) => ({ [name]: undefined })) },
    { weight: 1, arbitrary: fc.constant({ id: 1, is_builtin: true, role: 'admin', isActive: false }) },
    { weight: 6, arbitrary: hostileField(fields).map(([name, value]) => ({ [name]: value })) },
  )
  return fc
    .tuple(validObject(schema, idOf), change)
    .map(([body, changedFields]) => ({ ...body, ...changedFields }))
}
