/** The keywords of a JSON schema that the generator reads. */
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

/** An operation of the OpenAPI document. */
export interface Operation {
  id: string
  method: string
  /** Parameters are written as `{name}`. */
  path: string
  params: Parameter[]
  query: Parameter[]
  /** Schemas of the body by media type. */
  bodies: Record<string, Schema>
  /** Schemas by status ("404") or class ("4XX"), then by media type. Null allows any content. */
  answers: Record<string, Record<string, Schema | null> | null>
  isSecured: boolean
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

const readSchemas = ({ content }: Media) =>
  content === undefined
    ? null
    : Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema ?? null]))

/** Reads the operations of the OpenAPI document of a running product. */
export async function readOperations(url: string, token: string): Promise<Operation[]> {
  const answer = await fetch(`${url}/api/openapi.json`, { headers: { authorization: `Bearer ${token}` } })
  const { paths } = (await answer.json()) as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documentedOperation]): Operation => {
      const parameters = documentedOperation.parameters ?? []
      const bodies = Object.entries(readSchemas(documentedOperation.requestBody ?? {}) ?? {})
      return {
        id: documentedOperation.operationId,
        method: method.toUpperCase(),
        path,
        params: parameters.filter((parameter) => parameter.in === 'path'),
        query: parameters.filter((parameter) => parameter.in === 'query'),
        bodies: Object.fromEntries(bodies.map(([type, schema]) => [type, schema ?? {}])),
        answers: Object.fromEntries(
          Object.entries(documentedOperation.responses).map(([status, media]) => [
            status,
            readSchemas(media),
          ]),
        ),
        isSecured: documentedOperation.security !== undefined,
      }
    }),
  )
}
