import type { Guard } from '@karvon/contract/lib/call.ts'
import { calls } from '@karvon/contract/registry.ts'
import { listed, whoMay } from './access.table.ts'

/** One method at one path, and who may use it by the table. */
export interface Operation {
  name: string
  method: string
  /** With values for its parameters that no row has. */
  path: string
  who: Guard
  /** Whether it takes a body. */
  takes: boolean
}

const nothing = '999999999'
const key = '00000000-0000-4000-8000-000000000000'

const declared = calls.flatMap((call) => {
  const path = call.path.replaceAll(/:(\w+)/g, (_, name) => (name === 'key' ? key : nothing))
  const takes = call.body !== undefined || call.consumes !== undefined
  const methods = call.alternateMethod === undefined ? [call.method] : [call.method, call.alternateMethod]
  return methods.map((method) => ({
    name: method === call.method ? call.id : `${call.id} ${method}`,
    method,
    path,
    takes,
  }))
})

/** Every operation of the registry. */
export const operations: readonly Operation[] = declared.flatMap((one) => {
  const who = whoMay(one.name)
  return who === undefined ? [] : [{ ...one, who }]
})

/** Operations that the table does not know, and rows that stand for none. */
export const unlisted: readonly string[] = [
  ...declared.filter(({ name }) => whoMay(name) === undefined).map(({ name }) => `${name} has no row`),
  ...listed.filter((row) => declared.every(({ name }) => name !== row)).map((row) => `${row} is no call`),
]
