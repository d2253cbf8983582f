import type { Received } from '@karvon/contract/lib/received.ts'
import type { Field, Named } from '@karvon/contract/lib/field.ts'
import { getReferenceName } from '@karvon/contract/lib/resource.ts'
import type { Option } from '../components/fields/options.ts'
import { getLabel } from './resource.labels.ts'

/** A row by the keys of its declaration. */
export type AnyRow = Readonly<Record<string, unknown>>

/**
 * The row that a reference points to: by its id, by the object under the field's name without `_id`, or by
 * both. Undefined where the row has neither.
 */
export function readReference(row: AnyRow | undefined, key: string): Received<Named> | undefined {
  const object = row?.[getReferenceName(key)]
  const { id, name } = (typeof object === 'object' && object !== null ? object : {}) as Received<Named>
  const ownId = row?.[key]
  const knownId = typeof ownId === 'number' ? ownId : id
  if (typeof knownId !== 'number' && !name) return undefined
  return { ...(typeof knownId === 'number' && { id: knownId }), ...(name && { name }) }
}

/** The options of a choice. */
export const getChoiceOptions = ({ options = {} }: Field): Option[] =>
  Object.entries(options).map(([value, label]) => ({ value, label: getLabel(label) }))

/** A value as text; an object as JSON. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : JSON.stringify(value, null, 2)
}
