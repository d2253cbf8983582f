import type { Field } from '@karvon/contract/lib/field.ts'
import { getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import type { FastifyInstance } from 'fastify'
import { ask, type Signed } from './app.ts'

export type Row = Record<string, unknown> & { id: number }

let serial = 0

/** The resource of that name. Throws where there is none, so that a renamed one is not passed over. */
function resourceNamed(name: string | undefined): Resource {
  const found = resources.find((each) => each.name === name)
  if (found === undefined) throw new Error(`No resource is called ${name}`)
  return found
}

/**
 * A body that the resource takes, made from its declaration alone: every writable field has a value of its
 * kind that no earlier sample had, references point at rows made for it. So a new resource needs no sample.
 */
export async function sampleBody(
  app: FastifyInstance,
  admin: Signed,
  of: Resource,
): Promise<Record<string, unknown>> {
  serial += 1
  const body: Record<string, unknown> = {}
  for (const [key, field] of getWritableFields(of.fields)) {
    const own = field.target === of.name
    if (field.kind === 'reference')
      body[key] = own ? null : (await createSample(app, admin, resourceNamed(field.target))).id
    else if (field.kind === 'references')
      body[key] = [(await createSample(app, admin, resourceNamed(field.target))).id]
    else body[key] = sampleValue(key, field, serial)
  }
  return body
}

/** Creates a row of the resource over the wire. `over` replaces values of the sample. */
export async function createSample(
  app: FastifyInstance,
  admin: Signed,
  of: Resource,
  over: Record<string, unknown> = {},
): Promise<Row> {
  const body = { ...(await sampleBody(app, admin, of)), ...over }
  const answer = await ask(app, admin, 'POST', `${of.path}/`, body)
  if (answer.statusCode !== 201)
    throw new Error(`Creating a ${of.noun.one} gave ${answer.statusCode}: ${answer.body}`)
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
      return n
    case 'money':
      return n + 0.29
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
