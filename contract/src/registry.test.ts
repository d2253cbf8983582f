import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import type { Field } from './lib/field.ts'
import type { Call } from './lib/call.ts'
import { buildPageMeta } from './lib/page.ts'
import { fieldError } from './lib/field-messages.ts'
import { resourceCalls } from './lib/resource-calls.ts'
import {
  getListKeys,
  getReadableFields,
  getReferenceName,
  getWritableFields,
  type Resource,
} from './lib/resource.ts'
import { calls, resources } from './registry.ts'

const ajv = new Ajv({ allErrors: true, strict: true, multipleOfPrecision: 6 })
addFormats.default(ajv)
const compile = (schema: TSchema): ValidateFunction => ajv.compile(schema)

const propertiesOf = (schema: { properties?: object }) => Object.keys(schema.properties ?? {})

const moment = '2026-03-01T10:20:30.123+05:00'

/** A value that a field of this kind has on the wire. */
function sample(field: Field): unknown {
  switch (field.kind) {
    case 'integer':
    case 'reference':
      return 7
    case 'references':
      return [7, 8]
    case 'money':
      return 12.34
    case 'boolean':
      return true
    case 'time':
      return moment
    case 'day':
      return '2026-03-01'
    case 'json':
      return { key: 'value' }
    case 'email':
      return 'dilnoza@example.uz'
    case 'url':
      return 'https://example.uz/x?y=1'
    case 'choice':
      return Object.keys(field.options ?? {}).at(-1)
    case 'alias':
      return field.aliasOf === 'is_active' ? true : moment
    case 'text':
    case 'long-text':
    case 'external-id':
    case 'secret':
    case 'password':
      return 'Choynak, чайник'
  }
}

/** A value of the wrong type for the field. */
const wrong = (field: Field): unknown => (field.kind === 'boolean' || field.kind === 'json' ? 'yes' : {})

const extras: Record<string, Record<string, unknown>> = {
  roles: { sources: [{ id: 7, source_id: 7, name: '100k' }] },
  'source-credentials': { health: null },
  'courier-accounts': { health: null },
  statuses: { recount: null },
}

function sampleRow(of: Resource): Record<string, unknown> {
  const ownValues = getReadableFields(of.fields).flatMap(([key, field]): [string, unknown][] =>
    field.kind === 'reference'
      ? [
          [key, 7],
          [getReferenceName(key), { id: 7, name: 'Seven' }],
        ]
      : [[key, sample(field)]],
  )
  return {
    id: 1,
    ...Object.fromEntries(ownValues),
    ...extras[of.name],
    created_at: moment,
    updated_at: moment,
  }
}

const sampleBody = (of: Resource) =>
  Object.fromEntries(getWritableFields(of.fields).map(([key, field]) => [key, sample(field)]))

const without = (row: Record<string, unknown>, key: string) =>
  Object.fromEntries(Object.entries(row).filter(([entryKey]) => entryKey !== key))

describe.each(resources)('$name', (of) => {
  const row = compile(of.schemas.row)
  const create = compile(of.schemas.create)
  const update = compile(of.schemas.update)
  const query = compile(of.schemas.query)

  test('the row schema accepts a whole row, and refuses a missing field or a wrong type', () => {
    const whole = sampleRow(of)
    expect(row(whole), ajv.errorsText(row.errors)).toBe(true)
    for (const key of Object.keys(whole)) expect(row(without(whole, key)), `without ${key}`).toBe(false)
    for (const [key, field] of getReadableFields(of.fields))
      expect(row({ ...whole, [key]: wrong(field) }), `${key} of another type`).toBe(false)
  })

  test('the row schema has no write-only field', () => {
    const properties = propertiesOf(of.schemas.row)
    for (const [key, field] of Object.entries(of.fields))
      expect(properties.includes(key), key).toBe(field.access !== 'write')
  })

  test('the create schema requires the fields that the form requires, and no others', () => {
    const whole = sampleBody(of)
    expect(create(whole), ajv.errorsText(create.errors)).toBe(true)
    for (const [key, field] of getWritableFields(of.fields)) {
      expect(create(without(whole, key)), `without ${key}`).toBe(field.required === 'never')
      expect(create({ ...whole, [key]: wrong(field) }), `${key} of another type`).toBe(false)
      expect(create({ ...whole, [key]: null }), `${key} null`).toBe(
        field.required === 'never' && field.kind !== 'boolean',
      )
    }
  })

  test('the update schema accepts any part, if each value is valid', () => {
    const whole = sampleBody(of)
    expect(update({})).toBe(true)
    expect(update(whole), ajv.errorsText(update.errors)).toBe(true)
    for (const [key, field] of getWritableFields(of.fields)) {
      expect(update({ [key]: whole[key] }), key).toBe(true)
      expect(update({ [key]: wrong(field) }), `${key} of another type`).toBe(false)
    }
  })

  test('a list sorts only by its keys, in both directions, and its sizes are from 1 to 200', () => {
    for (const key of getListKeys(of.fields)) {
      expect(query({ sort: key }), key).toBe(true)
      expect(query({ sort: `-${key}` }), `-${key}`).toBe(true)
    }
    for (const bad of ['', '-', 'nothing', 'name;drop', 'constructor'])
      expect(query({ sort: bad }), bad).toBe(false)
    for (const key of ['per_page', 'limit'])
      expect([0, 1, 200, 201].map((size) => query({ [key]: size }))).toEqual([false, true, true, false])
    expect([query({ page: 0 }), query({ page: 1 }), query({ skip: 0 }), query({ skip: -1 })]).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('the columns and the name field of a resource can be read', () => {
    const shownKeys = new Set([...getReadableFields(of.fields).map(([key]) => key), 'id', 'created_at'])
    expect(of.columns.filter((column) => !shownKeys.has(column))).toEqual([])
    expect(new Set(of.columns).size).toBe(of.columns.length)
    expect(shownKeys.has(of.nameField)).toBe(true)
  })

  test('every reference of a resource names a resource, and every alias names a field', () => {
    const names = new Set(resources.map(({ name }) => name))
    for (const [key, field] of Object.entries(of.fields)) {
      const refers = field.kind === 'reference' || field.kind === 'references'
      expect(field.target !== undefined, key).toBe(refers)
      if (refers) expect(names, key).toContain(field.target)
      if (field.kind === 'reference') expect(key).toMatch(/_id$/)
      if (field.kind === 'alias')
        expect([...Object.keys(of.fields), 'created_at', 'updated_at'], key).toContain(field.aliasOf)
    }
  })

  test('every field of a resource has a label, and its required text contains the label', () => {
    for (const [key, field] of getWritableFields(of.fields)) {
      expect(field.label, key).toMatch(/^[A-Z0-9]/)
      expect(fieldError('field', 'required', { label: field.label }).message).toBe(
        `${field.label} is required`,
      )
    }
  })
})

test('resources differ in name, path and title', () => {
  for (const key of ['name', 'path'] as const)
    expect(new Set(resources.map((resource) => resource[key])).size, key).toBe(resources.length)
  expect(resources.map(({ name }) => name).filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([])
})

test('calls differ in id, and in method and path with and without the trailing slash', () => {
  const ids = calls.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
  const servedRoutes = calls.flatMap((operation) =>
    [operation.method, ...(operation.alternateMethod ? [operation.alternateMethod] : [])].map(
      (method) => `${method} ${operation.path.replace(/\/$/, '').replace(/:\w+/g, ':x')}`,
    ),
  )
  expect(servedRoutes).toEqual([...new Set(servedRoutes)])
})

test.each(calls)('$id: every schema compiles, path and guard fit', (operation) => {
  for (const schema of [operation.params, operation.query, operation.body, operation.answer])
    if (schema) expect(compile(schema)).toBeTypeOf('function')
  const pathParams = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  expect(propertiesOf(operation.params ?? {})).toEqual(pathParams)
  if (operation.path.startsWith('/api/admin/')) expect(operation.guard).toBe('admin')
  if (operation.path.startsWith('/api/user/')) expect(operation.guard).toBe('person')
  if (operation.method === 'GET') expect(operation.body).toBeUndefined()
})

const isPage = (operation: Call) => {
  const { properties = {} } = (operation.answer ?? {}) as {
    properties?: Record<string, { properties?: object }>
  }
  return 'items' in properties && 'filtered_total' in (properties.meta?.properties ?? {})
}

test('every call that answers a page accepts paging, search, sort and an export format', () => {
  const lists = calls.filter((operation) => isPage(operation) && operation.id !== 'source-credentials.get')
  expect(lists.length).toBeGreaterThan(20)
  for (const list of lists) {
    const keys = propertiesOf(list.query ?? {})
    for (const key of ['page', 'per_page', 'limit', 'skip', 'search', 'sort', 'format'])
      expect(keys, list.id).toContain(key)
    const query = compile(list.query ?? {})
    expect(['csv', 'xlsx', 'pdf', ''].map((format) => query({ format }))).toEqual([true, true, false, false])
  }
})

test('the answer of a list is a page of rows', () => {
  for (const of of resources) {
    const { list, get } = resourceCalls(of)
    const page = {
      items: [sampleRow(of)],
      meta: buildPageMeta({ offset: 0, size: 10, items: 1, total: 1, filtered: 1 }),
    }
    const answers = compile(list.answer ?? {})
    expect(answers(page), `${of.name}: ${ajv.errorsText(answers.errors)}`).toBe(true)
    expect(answers({ ...page, meta: {} })).toBe(false)
    expect(compile(get.answer ?? {})(of.quirks.firstOfItems ? page : sampleRow(of)), of.name).toBe(true)
  }
})
