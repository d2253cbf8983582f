import fc from 'fast-check'
import { expect, expectTypeOf, test } from 'vitest'
import {
  email,
  externalId,
  flag,
  json,
  longText,
  money,
  password,
  reference,
  references,
  secret,
  text,
  time,
} from './field.ts'
import { normaliseBody } from './resource.body.ts'
import { getListKeys, resource, type CreateOf, type RowOf, type UpdateOf } from './resource.ts'

const fields = {
  name: text('Name', { required: 'always' }),
  note: longText('Note'),
  mail: email('Mail'),
  extra_id: externalId('Extra id'),
  price: money('Price', { required: 'always' }),
  token: secret('Token'),
  pass: secret('Pass', { access: 'write' }),
  word: password('Word', { required: 'create', access: 'write' }),
  is_open: flag('Open'),
  made: time('Made'),
  mapping: json('Mapping'),
  shop_id: reference('Shop', 'shops', { required: 'always' }),
  tag_ids: references('Tags', 'tags'),
}

test("a form's values are normalised for the schema", () => {
  const body = {
    name: '\u200E  Kettle\u00A0',
    note: ' ',
    mail: '',
    extra_id: 17,
    price: 12.5,
    token: '\tpasted with spaces\n',
    pass: '  kept as it is ',
    word: ' a b ',
    is_open: false,
    mapping: {},
    shop_id: 3,
    tag_ids: [],
    made: '2026-01-01T00:00:00Z',
    id: 5,
    role: 'admin',
  }
  expect(normaliseBody(fields, body, 'create')).toEqual({
    name: 'Kettle',
    note: null,
    mail: null,
    extra_id: '17',
    price: 12.5,
    token: 'pasted with spaces',
    pass: '  kept as it is ',
    word: ' a b ',
    is_open: false,
    mapping: {},
    shop_id: 3,
    tag_ids: [],
  })
})

test('a create leaves out an empty required value, so that the schema refuses it', () => {
  expect(normaliseBody(fields, { name: ' \u200B', price: null, word: '', shop_id: '' }, 'create')).toEqual({})
})

test('an update leaves out an untouched secret, and sends an emptied required field as null', () => {
  expect(normaliseBody(fields, { token: '', word: null, name: '', note: '' }, 'update')).toEqual({
    name: null,
    note: null,
  })
})

test.each([[null], [undefined], ['text'], [7], [[{ name: 'x' }]]])(
  'the value %j gives an empty body',
  (body) => {
    expect(normaliseBody(fields, body, 'create')).toEqual({})
  },
)

const anyBody = fc.dictionary(
  fc.oneof(
    fc.constantFrom(...Object.keys(fields), 'id', 'created_at', '__proto__', 'constructor'),
    fc.string(),
  ),
  fc.oneof(fc.jsonValue(), fc.constantFrom('', ' ', ' x ')),
)

test.each(['create', 'update'] as const)(
  'a normalised body on %s has only offered keys of its input, and stays the same when it is normalised again',
  (mode) => {
    const offeredKeys = new Set(Object.keys(fields).filter((key) => key !== 'made'))
    fc.assert(
      fc.property(anyBody, (body) => {
        const ready = normaliseBody(fields, body, mode)
        for (const key of Object.keys(ready)) {
          expect(offeredKeys.has(key)).toBe(true)
          expect(Object.hasOwn(body, key)).toBe(true)
        }
        expect(normaliseBody(fields, ready, mode)).toEqual(ready)
      }),
    )
  },
)

test('a list is filtered and sorted by its readable and comparable fields', () => {
  expect(getListKeys(fields)).toEqual([
    'id',
    'name',
    'mail',
    'extra_id',
    'price',
    'is_open',
    'made',
    'shop_id',
    'created_at',
    'updated_at',
  ])
})

test('a resource has the usual wire format, except where it declares another', () => {
  const shops = resource({
    name: 'shops',
    noun: { one: 'shop', many: 'shops' },
    title: 'Shops',
    fields: { name: text('Name', { required: 'always' }) },
    columns: ['name'],
    quirks: { update: 'POST' },
  })
  expect(shops.path).toBe('/api/admin/shops')
  expect(shops.nameField).toBe('name')
  expect(shops.quirks).toMatchObject({ update: 'POST', delete: true, pageSize: 10, paging: 'page' })
})

test('rows and bodies have the types that their fields declare', () => {
  type Row = RowOf<typeof fields>
  expectTypeOf<Row['name']>().toEqualTypeOf<string>()
  expectTypeOf<Row['note']>().toEqualTypeOf<string | null>()
  expectTypeOf<Row['is_open']>().toEqualTypeOf<boolean>()
  expectTypeOf<Row['shop_id']>().toEqualTypeOf<number | null>()
  expectTypeOf<Row['shop']>().toEqualTypeOf<{ id: number; name: string } | null>()
  expectTypeOf<Row>().not.toHaveProperty('word')
  expectTypeOf<Row>().not.toHaveProperty('tag_ids')
  type Create = CreateOf<typeof fields>
  expectTypeOf<Create['word']>().toEqualTypeOf<string>()
  expectTypeOf<Create['token']>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<Create>().not.toHaveProperty('made')
  type Update = UpdateOf<typeof fields>
  expectTypeOf<Update['word']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Update['shop_id']>().toEqualTypeOf<number | undefined>()
})
