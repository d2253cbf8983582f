import { resources } from '@karvon/contract/registry.ts'
import { expect, test } from 'vitest'
import { getLabel } from '../../resources/resource.labels.ts'
import { findChoice, findKind, findTarget, getFieldLabel } from './audit.fields.ts'

const fields = resources.flatMap(({ name: resource, fields: declaredFields }) =>
  Object.entries(declaredFields)
    .filter(([, { kind }]) => kind !== 'alias')
    .map(([key, field]) => ({ resource, key, field })),
)

test('the audit log labels each field of a resource as its list and form do', () => {
  expect(fields.map(({ resource, key }) => [resource, key, getFieldLabel(key, resource)])).toEqual(
    fields.map(({ resource, key, field }) => [resource, key, getLabel(field.label, resource)]),
  )
})

test('the audit log shows amounts, times, days, references and choices of a resource as its list does', () => {
  for (const { resource, key, field } of fields) {
    const where = `${key} of ${resource}`
    const formattedKind = ['money', 'time', 'day'].includes(field.kind) ? field.kind : undefined
    expect(findKind(key), where).toBe(formattedKind)
    expect(findTarget(key), where).toBe(field.target)
    for (const [value, label] of Object.entries(field.options ?? {}))
      expect(findChoice(key, value), where).toBe(getLabel(label))
  }
})

test('a field that the web does not know keeps its name on the wire', () => {
  expect(getFieldLabel('constructor', 'users')).toBe('constructor')
  expect(findTarget('constructor')).toBeUndefined()
})
