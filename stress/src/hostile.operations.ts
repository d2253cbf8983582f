/** A JSON schema as the document has them: those keywords that attacks are made from. */
export interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  minItems?: number
  additionalProperties?: Schema | boolean
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Media {
  content?: Record<string, { schema?: Schema }>
}

/** One operation of the document: what it takes, and what it says that it answers. */
export interface Operation {
  id: string
  method: string
  /** With `{name}` for parameters. */
  path: string
  params: Parameter[]
  query: Parameter[]
  /** Its body by media type. */
  takes: Record<string, Schema>
  /** Its answers by status or class of statuses ("4XX"), and there by media type; null for an answer of any form. */
  answers: Record<string, Record<string, Schema | null> | null>
  secured: boolean
}

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>
}

interface DocumentedOperation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: Media
  responses: Record<string, Media>
  security?: unknown[]
}

const schemasOf = ({ content }: Media) =>
  content === undefined
    ? null
    : Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema ?? null]))

/** Every operation of the document that a started product serves. */
export async function readOperations(url: string, token: string): Promise<Operation[]> {
  const answer = await fetch(`${url}/api/openapi.json`, { headers: { authorization: `Bearer ${token}` } })
  const { paths } = (await answer.json()) as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, told]): Operation => {
      const parameters = told.parameters ?? []
      const bodies = Object.entries(schemasOf(told.requestBody ?? {}) ?? {})
      return {
        id: told.operationId,
        method: method.toUpperCase(),
        path,
        params: parameters.filter((each) => each.in === 'path'),
        query: parameters.filter((each) => each.in === 'query'),
        takes: Object.fromEntries(bodies.map(([type, schema]) => [type, schema ?? {}])),
        answers: Object.fromEntries(
          Object.entries(told.responses).map(([status, media]) => [status, schemasOf(media)]),
        ),
        secured: told.security !== undefined,
      }
    }),
  )
}
