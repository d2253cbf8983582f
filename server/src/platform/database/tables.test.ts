import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../../../test/database.ts'
import { readTableTypes } from '../../../test/table-types.ts'
import { openPool } from './pool.ts'

/** The types that the driver returns, with the parsers of `pool.parsers.ts`. */
const returnedTypes: Record<string, string> = {
  _int2: 'number[]',
  _int4: 'number[]',
  _int8: 'number[]',
  _text: 'string[]',
  _timestamptz: 'string[]',
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  jsonb: 'Record',
  numeric: 'number',
  pg_lsn: 'string',
  text: 'string',
  time: 'string',
  timestamptz: 'string',
  uuid: 'string',
}

/** Triggers fill these columns. */
const filledByTriggers = ['roles.code_folded', 'users.username_folded']

interface StoredColumn {
  name: string
  type: string
  is_nullable: boolean
  has_default: boolean
  is_generated: boolean
}

// The migrator alone uses schema_migrations.
const selectColumns = `
  select c.relname || '.' || a.attname as name, t.typname as type, not a.attnotnull as is_nullable,
    a.atthasdef as has_default, a.attidentity = 'a' or a.attgenerated <> '' as is_generated
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'schema_migrations' and a.attnum > 0 and not a.attisdropped`

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

function describeStored({ name, type, is_nullable, has_default, is_generated }: StoredColumn): string {
  const types = [returnedTypes[type] ?? type, ...(is_nullable ? ['null'] : [])]
  const isOptional = is_nullable || has_default || filledByTriggers.includes(name)
  return describeColumn(name, types, is_generated ? 'never' : isOptional ? 'optional' : 'required')
}

function describeDeclared([name, { select, insert }]: [
  string,
  { select: string[]; insert: string[] },
]): string {
  const isOptional = insert.includes('null') || insert.includes('undefined')
  // A value of jsonb may be an array.
  const types = select.map((type) => (type === 'Record[]' ? 'Record' : type))
  return describeColumn(name, types, insert.length === 0 ? 'never' : isOptional ? 'optional' : 'required')
}

const describeColumn = (name: string, types: string[], insert: string): string =>
  `${name}: ${[...new Set(types)].toSorted().join(' | ')}, ${insert} in an insert`

test('the table types in tables*.ts are those of the migrated database', async () => {
  const pool = openPool(database.url, { timezone: TEST_TIMEZONE, max: 1 })
  const { rows } = await pool.query<StoredColumn>(selectColumns)
  await pool.end()
  const declaredTypes = [...readTableTypes(import.meta.dirname)].map(describeDeclared)
  expect(declaredTypes.toSorted()).toEqual(rows.map(describeStored).toSorted())
})
