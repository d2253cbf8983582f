import { Type } from 'typebox'
import { call, type Call } from './call.ts'
import { Id } from './field.ts'
import { pageSchema } from './page.ts'
import { getResourcePath, type Resource } from './resource.ts'

const ById = Type.Object({ id: Id })

/** The calls of a resource. `delete` is absent where the resource cannot be deleted. */
export type ResourceCalls = {
  readonly list: Call
  readonly get: Call
  readonly create: Call
  readonly update: Call
  readonly delete?: Call
}

const withArticle = (noun: string) => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`

/**
 * The list call and the single get of a resource, by the name of the resource alone. Every resource has both at the
 * same paths. The answers are read for `id` and `name` only.
 */
export const referenceCalls = (name: string): Pick<ResourceCalls, 'list' | 'get'> => ({
  list: call({
    id: `${name}.options`,
    summary: `List ${name} as options`,
    method: 'GET',
    path: `${getResourcePath(name)}/`,
    guard: 'admin',
  }),
  get: call({
    id: `${name}.option`,
    summary: `Read one of the ${name} as an option`,
    method: 'GET',
    path: `${getResourcePath(name)}/:id`,
    guard: 'admin',
    params: ById,
  }),
})

/** The calls of a resource, built from its declaration and its quirks. */
export function resourceCalls(resource: Resource): ResourceCalls {
  const item = `${resource.path}/:id${resource.quirks.itemSlash ? '/' : ''}`
  const { row, create, update, query } = resource.schemas
  const guard = 'admin' as const
  const feature = resource.feature && { feature: resource.feature }
  return {
    list: call({
      id: `${resource.name}.list`,
      summary: `List ${resource.noun.many}`,
      method: 'GET',
      path: `${resource.path}/`,
      guard,
      ...feature,
      query,
      answer: pageSchema(row),
    }),
    get: call({
      id: `${resource.name}.get`,
      summary: `Read one ${resource.noun.one}`,
      method: 'GET',
      path: item,
      guard,
      ...feature,
      params: ById,
      answer: resource.quirks.firstOfItems ? pageSchema(row) : row,
    }),
    create: call({
      id: `${resource.name}.create`,
      summary: `Create ${withArticle(resource.noun.one)}`,
      method: 'POST',
      path: `${resource.path}/`,
      guard,
      ...feature,
      status: 201,
      body: create,
      answer: row,
    }),
    update: call({
      id: `${resource.name}.update`,
      summary: `Update ${withArticle(resource.noun.one)}; omitted fields stay`,
      method: resource.quirks.update,
      alternateMethod: resource.quirks.update === 'PUT' ? 'POST' : 'PUT',
      path: item,
      guard,
      ...feature,
      params: ById,
      body: update,
      answer: row,
    }),
    ...(resource.quirks.delete && {
      delete: call({
        id: `${resource.name}.delete`,
        summary: `Delete ${withArticle(resource.noun.one)}; 409 while other rows use it`,
        method: 'DELETE',
        path: item,
        guard,
        ...feature,
        params: ById,
        answer: Type.Object({ id: Type.Integer() }),
      }),
    }),
  }
}
