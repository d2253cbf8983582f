import type { Guard } from '@karvon/contract/lib/call.ts'
import { calls } from '@karvon/contract/registry.ts'
import { listedOperations, getGuard } from './access.table.ts'

/** A method at a path, and its guard in the table. */
export interface Operation {
  name: string
  method: string
  /** Its parameters have values that no row has. */
  path: string
  guard: Guard
  /** Whether it accepts a body. */
  hasBody: boolean
}

const unknownId = '999999999'
const key = '00000000-0000-4000-8000-000000000000'

const declaredOperations = calls.flatMap((call) => {
  const path = call.path.replaceAll(/:(\w+)/g, (_, name) => (name === 'key' ? key : unknownId))
  const hasBody = call.body !== undefined || call.consumes !== undefined
  const methods = call.alternateMethod === undefined ? [call.method] : [call.method, call.alternateMethod]
  return methods.map((method) => ({
    name: method === call.method ? call.id : `${call.id} ${method}`,
    method,
    path,
    hasBody,
  }))
})

/** Every operation of the registry. */
export const operations: readonly Operation[] = declaredOperations.flatMap((operation) => {
  const guard = getGuard(operation.name)
  return guard === undefined ? [] : [{ ...operation, guard }]
})

/** Operations without a row in the table, and rows without an operation. */
export const tableProblems: readonly string[] = [
  ...declaredOperations
    .filter(({ name }) => getGuard(name) === undefined)
    .map(({ name }) => `${name} has no row`),
  ...listedOperations
    .filter((row) => declaredOperations.every(({ name }) => name !== row))
    .map((row) => `${row} is no call`),
]
