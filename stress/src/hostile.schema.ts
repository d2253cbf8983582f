import type { Schema } from './hostile.operations.ts'
import type { Random } from './hostile.random.ts'
import { hostileNumber, hostileText, hostileValue } from './hostile.values.ts'

/** Finds an id of what a field such as `source_id` refers to; null where none is known. */
export type FindId = (field: string) => number | null

/** A value that a schema takes, so that an attack on its neighbour gets past the checks. */
export function valid(schema: Schema, random: Random, find: FindId, field = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (schema.anyOf !== undefined) return valid(random.pick(schema.anyOf), random, find, field)
  switch (schema.type ?? 'anything') {
    case 'object':
      return validObject(schema, random, find)
    case 'array': {
      const items = schema.items ?? {}
      return Array.from({ length: Math.max(schema.minItems ?? 0, random.below(3)) }, () =>
        valid(items, random, find, field),
      )
    }
    case 'integer': {
      const id = random.chance(0.9) ? find(field) : null
      if (id !== null) return id
      const least = schema.minimum ?? 0
      return least + random.below(Math.min(50, (schema.maximum ?? 1000) - least + 1))
    }
    case 'number':
      return Math.max(schema.minimum ?? 0, random.below(100_000) / 100)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'string':
      return validText(schema, random)
    default:
      return random.pick(['text', 1, '2026-11-01'])
  }
}

export function validObject(schema: Schema, random: Random, find: FindId): Record<string, unknown> {
  const must = new Set(schema.required)
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([name]) => must.has(name) || random.chance(0.6),
  )
  return Object.fromEntries(entries.map(([name, each]) => [name, valid(each, random, find, name)]))
}

function validText({ format, pattern, minLength = 0, maxLength }: Schema, random: Random): string {
  const number = random.below(1_000_000)
  if (format === 'date') return `2026-${String(1 + random.below(12)).padStart(2, '0')}-15`
  if (format === 'date-time') return '2026-11-21T09:42:00+05:00'
  if (pattern?.includes('@')) return `person${number}@example.com`
  if (pattern?.includes('[hH][tT][tT][pP]')) return `http://127.0.0.1:9/${number}`
  if (pattern?.includes('\\d{4}')) return String(number).padStart(6, '0').slice(-4)
  if (pattern?.includes('[0-9a-f]{8}')) return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  if (pattern?.includes('[A-Z]{3}')) return 'UZS'
  const text = `t${number}`
  return text.padEnd(minLength, 'x').slice(0, maxLength ?? 100)
}

/** A value that a schema should refuse, or that lies right at its edge. */
export function hostileBody(schema: Schema, random: Random): unknown {
  if (random.chance(0.25)) return hostileValue(random)
  if (schema.anyOf !== undefined) return hostileBody(random.pick(schema.anyOf), random)
  const { minimum, maximum, minLength = 0, maxLength, maxItems } = schema
  if (schema.type === 'integer' || schema.type === 'number') {
    const edges = [minimum ?? 0, maximum ?? 0].flatMap((each) => [each - 1, each, each + 1, each + 0.5])
    return random.chance(0.6) ? random.pick(edges) : hostileNumber(random)
  }
  if (schema.type === 'string' && maxLength !== undefined && random.chance(0.4)) {
    const length = random.pick([Math.max(0, minLength - 1), maxLength, maxLength + 1])
    return random.pick(['a', 'ё', '😀']).repeat(length)
  }
  if (schema.type === 'array') {
    const length = random.pick([0, 1, (maxItems ?? 1000) + 1])
    return Array.from({ length }, () => (random.chance(0.99) ? 1 : hostileValue(random)))
  }
  return schema.type === 'string' ? hostileText(random) : hostileValue(random)
}

/** A valid body with one of its fields turned hostile, left out, or a key added that no form has. */
export function mutated(schema: Schema, random: Random, find: FindId): Record<string, unknown> {
  const body = validObject(schema, random, find)
  const names = Object.keys(schema.properties ?? {})
  if (names.length === 0) return { [hostileText(random)]: hostileValue(random) }
  const name = random.pick(names)
  const way = random.below(8)
  if (way === 0) Reflect.deleteProperty(body, name)
  else if (way === 1) Object.assign(body, { id: 1, is_builtin: true, role: 'admin', isActive: false })
  else body[name] = hostileBody(schema.properties?.[name] ?? {}, random)
  return body
}
