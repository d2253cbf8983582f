import { Type } from 'typebox'
import { call, type Call } from './call.ts'
import { Id } from './field.ts'
import { pageOf } from './page.ts'
import type { Resource } from './resource.ts'

const ById = Type.Object({ id: Id })

/** The calls of a resource, by what they do. `delete` is there only where the resource has it. */
export type ResourceCalls = {
  readonly list: Call
  readonly get: Call
  readonly create: Call
  readonly update: Call
  readonly delete?: Call
}

/** The calls that a resource's declaration stands for, quirks included. */
export function resourceCalls(of: Resource): ResourceCalls {
  const item = `${of.path}/:id${of.quirks.itemSlash ? '/' : ''}`
  const { row, create, update, query } = of.schemas
  const guard = 'admin' as const
  const feature = of.feature && { feature: of.feature }
  return {
    list: call({
      id: `${of.name}.list`,
      summary: `List ${of.noun.many}`,
      method: 'GET',
      path: `${of.path}/`,
      guard,
      ...feature,
      query,
      answer: pageOf(row),
    }),
    get: call({
      id: `${of.name}.get`,
      summary: `One ${of.noun.one}`,
      method: 'GET',
      path: item,
      guard,
      ...feature,
      params: ById,
      answer: of.quirks.firstOfItems ? pageOf(row) : row,
    }),
    create: call({
      id: `${of.name}.create`,
      summary: `Create a ${of.noun.one}`,
      method: 'POST',
      path: `${of.path}/`,
      guard,
      ...feature,
      status: 201,
      body: create,
      answer: row,
    }),
    update: call({
      id: `${of.name}.update`,
      summary: `Change a ${of.noun.one}; what the body leaves out stays`,
      method: of.quirks.update,
      also: of.quirks.update === 'PUT' ? 'POST' : 'PUT',
      path: item,
      guard,
      ...feature,
      params: ById,
      body: update,
      answer: row,
    }),
    ...(of.quirks.delete && {
      delete: call({
        id: `${of.name}.delete`,
        summary: `Delete a ${of.noun.one}; 409 while something uses it`,
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
