import type { Field } from '@karvon/contract/lib/field.ts'
import { getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import type { FastifyInstance } from 'fastify'
import { callApi, type Session } from './app.ts'

export type Row = Record<string, unknown> & { id: number }

let serial = 0

/** Finds a resource by name. Throws if there is none. */
function getResource(name: string | undefined): Resource {
  const resource = resources.find((entry) => entry.name === name)
  if (resource === undefined) throw new Error(`No resource is called ${name}`)
  return resource
}

/**
 * Builds a valid body from the declaration of a resource. Every writable field has a unique value of its kind, and
 * references point to new rows. So a new resource needs no sample.
 */
export async function sampleBody(
  app: FastifyInstance,
  admin: Session,
  resource: Resource,
): Promise<Record<string, unknown>> {
  serial += 1
  const body: Record<string, unknown> = {}
  for (const [key, field] of getWritableFields(resource.fields)) {
    const isSelfReference = field.target === resource.name
    if (field.kind === 'reference')
      body[key] = isSelfReference ? null : (await createSample(app, admin, getResource(field.target))).id
    else if (field.kind === 'references')
      body[key] = [(await createSample(app, admin, getResource(field.target))).id]
    else body[key] = sampleValue(key, field, serial)
  }
  return body
}

/** Creates a row of the resource by the API. `overrides` replaces values of the sample. */
export async function createSample(
  app: FastifyInstance,
  admin: Session,
  resource: Resource,
  overrides: Record<string, unknown> = {},
): Promise<Row> {
  const body = { ...(await sampleBody(app, admin, resource)), ...overrides }
  const answer = await callApi(app, admin, 'POST', `${resource.path}/`, body)
  if (answer.statusCode !== 201)
    throw new Error(`Creating a ${resource.noun.one} gave ${answer.statusCode}: ${answer.body}`)
  return answer.json<Row>()
}

function sampleValue(key: string, field: Field, n: number): unknown {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other kinds are text
  switch (field.kind) {
    case 'email':
      return `person${n}@example.com`
    case 'url':
      return `https://example.com/${n}?q=1`
    case 'integer':
      return n % getMaximum(field)
    case 'money':
      return (n % getMaximum(field)) + 0.29
    case 'day':
      return new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10)
    case 'boolean':
      return n % 2 === 0
    case 'choice':
      return Object.keys(field.options ?? {})[n % Object.keys(field.options ?? {}).length]
    case 'json':
      return field.example ?? { depth: { list: [1, 'ы', null] }, n }
    case 'secret':
    case 'password':
      return `Сецрет-${n}-0123456789-0123456789`
    default:
      return `${key} Ёлка ${n}`
  }
}

const getMaximum = ({ schema }: Field): number => (schema as { maximum?: number }).maximum ?? Infinity
