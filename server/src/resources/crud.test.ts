import { readFileSync } from 'node:fs'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import type { Field } from '@karvon/contract/lib/field.ts'
import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import { getReadableFields, getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { createSample, sampleBody, type Row } from '../../test/sample.ts'
import { getTableName } from '../platform/database/pg-errors.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

type Problem = { detail: string; code: string; errors?: { field: string; message: string }[] }
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  callApi(product.app, admin, method, url, body)
/** A zero width space, a Hangul filler and a right-to-left mark. */
const invisibleText = '\u200B\u3164\u200F'
const isConcealed = ({ kind }: Field) => kind === 'secret' || kind === 'password'
const create = (of: Resource, over?: Record<string, unknown>) => createSample(product.app, admin, of, over)

/** The row that the server must answer for a body, without write-only, masked and generated values. */
function visible(of: Resource, body: Record<string, unknown>): Record<string, unknown> {
  const shownFields = getWritableFields(of.fields).filter(
    ([, f]) => f.access === 'both' && f.kind !== 'secret',
  )
  return Object.fromEntries(shownFields.map(([key]) => [key, body[key]]))
}

describe.each(resources.map((of) => [of.name, of] as const))('%s', (_name, of) => {
  const calls = resourceCalls(of)

  test('a row is created, read, changed by either verb and deleted, with and without the slash', async () => {
    const body = await sampleBody(product.app, admin, of)
    const createAnswer = await call('POST', of.path, body)
    expect(createAnswer.statusCode, createAnswer.body).toBe(201)
    const row = createAnswer.json<Row>()
    expect(row).toMatchObject(visible(of, body))
    for (const key of Object.keys((of.schemas.row as unknown as { properties: object }).properties))
      expect(row, key).toHaveProperty(key)
    for (const [key, f] of Object.entries(of.fields))
      if (f.access === 'write') expect(row).not.toHaveProperty(key)

    for (const url of [`${of.path}/${row.id}`, `${of.path}/${row.id}/`]) {
      const single = await call('GET', url)
      expect(single.statusCode).toBe(200)
      expect(of.quirks.firstOfItems ? single.json<{ items: Row[] }>().items : [single.json()]).toEqual([row])
    }
    for (const method of ['PUT', 'POST'] as const) {
      const otherBody = await sampleBody(product.app, admin, of)
      const changeAnswer = await call(method, `${of.path}/${row.id}/`, otherBody)
      expect(changeAnswer.statusCode, changeAnswer.body).toBe(200)
      expect(changeAnswer.json()).toMatchObject(visible(of, otherBody))
    }
    const deleteAnswer = await call('DELETE', `${of.path}/${row.id}`)
    if (calls.delete === undefined) {
      expect(deleteAnswer.statusCode).toBe(405)
      expect(deleteAnswer.headers.allow).toContain('PUT')
      return
    }
    expect(deleteAnswer.json()).toEqual({ id: row.id })
    for (const method of ['GET', 'PUT', 'POST', 'DELETE'] as const) {
      const missing = await call(method, `${of.path}/${row.id}`, method === 'GET' ? undefined : {})
      expect([missing.statusCode, missing.json()]).toEqual([
        404,
        { detail: `No such ${of.noun.one}.`, code: 'not_found', params: { noun: of.noun.one } },
      ])
    }
  })

  test('an update keeps the fields that it omits, and ignores undeclared ones', async () => {
    const row = await create(of)
    for (const [key, f] of getWritableFields(of.fields)) {
      if (f.kind === 'secret' || f.kind === 'password' || f.kind === 'references') continue
      const answer = await call('PUT', `${of.path}/${row.id}`, {
        [key]: row[key],
        id: 77,
        created_at: '2001-01-01',
        nope: 1,
      })
      expect(answer.statusCode, answer.body).toBe(200)
      const { updated_at: _, updatedAt: __, ...rest } = answer.json<Row>()
      expect(row).toMatchObject(rest)
    }
  })

  test('a missing required field is refused with its label', async () => {
    const must = getWritableFields(of.fields).filter(([, f]) => f.required !== 'never')
    const expectedErrors = must.map(([field, f]) => fieldError(field, 'required', { label: f.label }))
    for (const body of [
      {},
      Object.fromEntries(must.map(([key]) => [key, ''])),
      Object.fromEntries(must.map(([key]) => [key, null])),
      Object.fromEntries(must.map(([key, f]) => [key, isConcealed(f) ? '' : invisibleText])),
    ]) {
      const answer = await call('POST', of.path, body)
      expect(answer.statusCode).toBe(422)
      const problem = answer.json<Problem>()
      expect(problem.code).toBe('invalid')
      expect(problem.errors?.toSorted(byField)).toEqual(expectedErrors.toSorted(byField))
    }
    const row = await create(of)
    for (const [key, f] of must) {
      for (const empty of [null, '', ...(isConcealed(f) ? [] : [invisibleText])]) {
        const answer = await call('POST', `${of.path}/${row.id}`, { [key]: empty })
        if (isConcealed(f)) expect(answer.statusCode).toBe(200)
        else expect(answer.json<Problem>().errors).toEqual([fieldError(key, 'required', { label: f.label })])
      }
    }
  })

  test('an optional field is cleared by null or an empty text', async () => {
    const row = await create(of)
    for (const [key, f] of getWritableFields(of.fields)) {
      if (f.required !== 'never' || f.kind === 'boolean' || f.kind === 'references' || f.kind === 'secret')
        continue
      const answer = await call('PUT', `${of.path}/${row.id}`, { [key]: f.kind === 'text' ? '  ' : null })
      expect(answer.json<Row>()[key]).toBeNull()
    }
  })

  test('a wrong type answers 422 with the field, and hostile values never cause a 500', async () => {
    const body = await sampleBody(product.app, admin, of)
    for (const [key, f] of getWritableFields(of.fields)) {
      for (const value of wrongFor(f.kind)) {
        const answer = await call('POST', of.path, { ...body, [key]: value })
        expect(answer.statusCode, `${key} = ${JSON.stringify(value)}: ${answer.body}`).toBe(422)
        expect(answer.json<Problem>().errors?.[0]?.field).toBe(key)
      }
      for (const value of hostile) {
        const answer = await call('POST', of.path, { ...body, [key]: value })
        expect(
          answer.statusCode,
          `${key} = ${JSON.stringify(value)?.slice(0, 80)}: ${answer.body}`,
        ).toBeLessThan(500)
      }
    }
  })

  test('an external id that is a whole number is stored as text with all its digits', async () => {
    for (const [key, f] of getWritableFields(of.fields)) {
      if (f.kind !== 'external-id') continue
      const row = await create(of, { [key]: Number.MAX_SAFE_INTEGER })
      expect(row[key]).toBe('9007199254740991')
      const send = async (digits: string) => {
        const payload = `{"${key}": ${digits}}`
        const headers = { ...admin.headers, 'content-type': 'application/json' }
        return product.app.inject({ method: 'PUT', url: `${of.path}/${row.id}`, headers, payload })
      }
      for (const digits of ['17', '9007199254740993', '1234567890123456789'])
        expect((await send(digits)).json<Row>()[key]).toBe(digits)
      for (const digits of ['1e308', '0.1'])
        expect((await send(digits)).json<Problem>().errors).toEqual([
          fieldError(key, 'must_be_text', { label: f.label }),
        ])
    }
  })

  test('a reference to a missing row answers 422', async () => {
    const body = await sampleBody(product.app, admin, of)
    for (const [key, f] of getWritableFields(of.fields)) {
      if (f.target === undefined) continue
      const missingId = f.kind === 'references' ? [999_999_999] : 999_999_999
      const answer = await call('POST', of.path, { ...body, [key]: missingId })
      expect(answer.statusCode).toBe(422)
      const [error] = answer.json<Problem>().errors ?? []
      expect(error?.field).toBe(key)
      expect(error?.message).toMatch(/does not exist\.$/)
    }
  })

  test('a used row is not deleted, and the answer names what uses it', async () => {
    const users = resources.flatMap((other) =>
      getWritableFields(other.fields).flatMap(([key, f]) =>
        f.kind === 'reference' && f.target === of.name ? [{ other, key }] : [],
      ),
    )
    for (const { other, key } of users) {
      if (calls.delete === undefined || other.name === 'role-source-access') continue
      const row = await create(of)
      await create(other, { [key]: row.id })
      const answer = await call('DELETE', `${of.path}/${row.id}`)
      expect(answer.statusCode).toBe(409)
      expect(answer.json()).toMatchObject({ detail: `Used by 1 ${other.noun.one}.`, code: 'in_use' })
    }
  })

  test('the audit log records who changed what, without secrets', async () => {
    const row = await create(of)
    const auditRows = await product.deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('resource', '=', of.name)
      .where('row_id', '=', row.id)
      .execute()
    expect(auditRows).toMatchObject([{ action: 'create', user_id: 1, old_values: null }])
    expect(JSON.stringify(auditRows)).not.toContain('Сецрет')
    const readableValues = getReadableFields(of.fields).filter(
      ([, f]) => f.access === 'both' && f.kind === 'text',
    )
    for (const [key] of readableValues) expect(auditRows[0]?.new_values).toHaveProperty(key, row[key])
  })
})

const byField = (a: { field: string }, b: { field: string }) => a.field.localeCompare(b.field)

function wrongFor(kind: string): unknown[] {
  const never = [['x'], { a: 1 }]
  switch (kind) {
    case 'integer':
    case 'reference':
      return [...never, 'abc', '5', 1.5, -1, true, 1e300]
    case 'money':
      return [...never, 'abc', '5', -0.01, 1.001, 1e15, false]
    case 'boolean':
      return [...never, 'true', 1]
    case 'references':
      return ['abc', 5, { a: 1 }, ['x'], [1.5], [null]]
    case 'json':
      return ['abc', 5, ['x'], { a: '\0' }, { '\ud800': 1 }, buildNested(5000)]
    case 'url':
      return [...never, 5, 'javascript:alert(1)', 'example.com', 'x\0', '\udfff']
    case 'email':
      return [...never, 5, 'nobody', 'a b@c', 'a@\0']
    case 'external-id':
      return [...never, true, 'x'.repeat(256), 'a\0b', '\ud800']
    default:
      return [...never, 5, true, 'x'.repeat(5000), 'a\0b', '\ud800']
  }
}

function buildNested(depth: number): object {
  let value: object = {}
  for (let i = 0; i < depth; i += 1) value = { a: value }
  return value
}

const hostile: unknown[] = [
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_VALUE,
  5e-324,
  '9'.repeat(400),
  "'; drop table users; --",
  '<script>alert(1)</script>',
  '$1 \\ % _ {{}}',
  '\u202e\u0000',
  '💥'.repeat(2000),
  JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": {}}}'),
  Array.from({ length: 5000 }, () => 'x'),
]

test('each table whose rows keep a row from deletion has a name in Russian and Uzbek', async () => {
  const tables = resources.filter(({ quirks }) => quirks.delete).map((of) => getTableName(of))
  const { rows } = await sql<{ table: string }>`select distinct c.conrelid::regclass::text as "table"
    from pg_constraint c where c.contype = 'f' and c.confdeltype = 'a' and c.conparentid = 0
      and c.confrelid::regclass::text = any(${tables})`.execute(product.deps.db)
  expect(rows.length).toBeGreaterThan(10)
  for (const language of ['ru', 'uz']) {
    const file = new URL(`../../../web/src/lib/i18n/${language}.json`, import.meta.url)
    const catalogue = JSON.parse(readFileSync(file, 'utf8')) as object
    expect(rows.map(({ table }) => `uses.${table}`).filter((id) => !(id in catalogue))).toEqual([])
  }
})
