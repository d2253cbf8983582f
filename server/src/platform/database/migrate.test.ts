import { execFile } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TEST_TIMEZONE, adminQuery, createTestDatabase, buildDatabaseUrl } from '../../../test/database.ts'
import type { TestDatabase } from '../../../test/database.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { splitStatements } from './migrate.statements.ts'
import { migrate } from './migrate.ts'

const program = fileURLToPath(new URL('../../../test/migrate-once.ts', import.meta.url))
const productFolder = fileURLToPath(new URL('migrations/', import.meta.url))

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
  folder = createTemporaryFolder()
})

afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

function writeMigration(name: string, sql: string): void {
  writeFileSync(join(folder, name), sql)
}

function run(log?: (message: string) => void): Promise<string[]> {
  return migrate(database.url, { timezone: TEST_TIMEZONE, folder, ...(log === undefined ? {} : { log }) })
}

async function readColumn(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
  await client.end()
  return rows.map(([value]) => value)
}

describe('Order of migrations', () => {
  test('each migration runs once, and new ones follow', async () => {
    writeMigration('0001_first.sql', 'create table steps (name text);')
    writeMigration('0002_second.sql', `insert into steps values ('second')`)
    const messages: string[] = []
    expect(await run((message) => messages.push(message))).toEqual(['0001_first.sql', '0002_second.sql'])
    expect(messages).toEqual(['The tables are created: 2 migrations.'])
    expect(await run()).toEqual([])
    writeMigration('0003_third.sql', `insert into steps values ('third')`)
    expect(await run((message) => messages.push(message))).toEqual(['0003_third.sql'])
    expect(messages.slice(1)).toEqual(['Migration 0003_third.sql applied.'])
    expect(await readColumn('select name from steps order by name')).toEqual(['second', 'third'])
  })

  test('migrations run in the time zone of the installation', async () => {
    writeMigration('0001_zone.sql', `create table zone as select current_setting('TimeZone') as name`)
    await run()
    expect(await readColumn('select name from zone')).toEqual([TEST_TIMEZONE])
  })

  test("the product's migrations run, and line ends of CRLF make no difference", async () => {
    const names = readdirSync(productFolder).toSorted()
    expect(await migrate(database.url, { timezone: TEST_TIMEZONE })).toEqual(names)
    expect(await migrate(database.url, { timezone: TEST_TIMEZONE })).toEqual([])
    writeMigration('0001_a.sql', 'select 1;\nselect 2;\n')
    const otherDatabase = await createTestDatabase({ empty: true })
    await migrate(otherDatabase.url, { timezone: TEST_TIMEZONE, folder })
    writeMigration('0001_a.sql', 'select 1;\r\nselect 2;\r\n')
    expect(await migrate(otherDatabase.url, { timezone: TEST_TIMEZONE, folder })).toEqual([])
    await otherDatabase.drop()
  })
})

test('four simultaneous starts apply each migration once', async () => {
  writeMigration('0001_slow.sql', 'select pg_sleep(0.3); create table steps (name text);')
  writeMigration('0002_insert.sql', `insert into steps values ('once')`)
  const starts = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, [program, database.url, folder]),
  )
  const results = await Promise.all(starts)
  const appliedNames = results.map(({ stdout }) => JSON.parse(stdout) as string[])
  expect(appliedNames.flat().toSorted()).toEqual(['0001_slow.sql', '0002_insert.sql'])
  expect(await readColumn('select name from steps')).toEqual(['once'])
})

describe('Failed migrations', () => {
  test('a failed migration names file, line and statement, and leaves no change', async () => {
    writeMigration('0001_good.sql', 'create table good (id int);')
    writeMigration(
      '0002_bad.sql',
      `-- Кириллица; in a comment\ncreate table half (id int);\n\ninsert into good\n  values ('seven');\n`,
    )
    const failure = await run().catch(String)
    expect(failure).toContain(
      'Migration 0002_bad.sql, line 5: invalid input syntax for type integer: "seven"',
    )
    expect(failure).toContain(`insert into good\n  values ('seven')`)
    expect(await readColumn(`select to_regclass('half')`)).toEqual([null])
    expect(await readColumn('select name from schema_migrations')).toEqual(['0001_good.sql'])
    writeMigration('0002_bad.sql', 'insert into good values (7)')
    expect(await run()).toEqual(['0002_bad.sql'])
  })

  test('a failed migration releases the lock', async () => {
    writeMigration('0001_bad.sql', 'select 1 / 0')
    await expect(run()).rejects.toThrow('Migration 0001_bad.sql, line 1: division by zero')
    await expect(run()).rejects.toThrow('division by zero')
  })
})

describe('Refused migrations', () => {
  beforeEach(async () => {
    writeMigration('0001_first.sql', 'select 1')
    writeMigration('0003_third.sql', 'select 3')
    await run()
  })

  test('a changed file that was applied before is refused with the remedy', async () => {
    writeMigration('0001_first.sql', 'select 2')
    await expect(run()).rejects.toThrow(/0001_first\.sql was changed after .* into a new migration/)
  })

  test('a database newer than the program is refused with the remedy', async () => {
    rmSync(join(folder, '0003_third.sql'))
    await expect(run()).rejects.toThrow(
      /made by a newer Karvon \(it has 0003_third\.sql\).*Start that version/,
    )
  })

  test('a new file before an applied one is refused with the remedy', async () => {
    writeMigration('0002_late.sql', 'select 2')
    await expect(run()).rejects.toThrow(/0002_late\.sql comes before 0003_third\.sql.* next free number/)
  })

  test.each([
    ['4_short.sql', /4_short\.sql is no migration/],
    ['0004_note.txt', /0004_note\.txt is no migration/],
    ['0003_other.sql', /0003_other\.sql and 0003_third\.sql .* same number/],
  ])('a migration file with the name %s is refused', async (name, message) => {
    writeMigration(name, 'select 4')
    await expect(run()).rejects.toThrow(message)
  })
})

/** Migrates a new database of the character type C. Returns the messages of the log. */
async function migrateNewDatabase(encoding: string): Promise<string[]> {
  const name = `karvon_test_bytes_${process.pid}`
  await adminQuery(`drop database if exists ${name} with (force)`)
  await adminQuery(
    `create database ${name} template template0 encoding '${encoding}' locale_provider libc locale 'C'`,
  )
  writeMigration('0001_first.sql', 'select 1')
  const messages: string[] = []
  const log = (message: string) => messages.push(message)
  try {
    await migrate(buildDatabaseUrl(name), { timezone: TEST_TIMEZONE, folder, log })
  } finally {
    await adminQuery(`drop database ${name} with (force)`)
  }
  return messages
}

test('a database of the character type C works and logs a warning', async () => {
  expect((await migrateNewDatabase('UTF8'))[0]).toContain('will not ignore the case of Cyrillic letters')
})

test.each(['SQL_ASCII', 'LATIN1'])('a database with the encoding %s is refused', async (encoding) => {
  await expect(migrateNewDatabase(encoding)).rejects.toThrow(
    `The database's encoding is ${encoding}, but Karvon needs UTF8.`,
  )
})

test.each([
  ['select 1; select 2', ['select 1', 'select 2']],
  ['-- a; b\nselect 1 /* ; */; -- c', ['select 1 /* ; */']],
  [`select ';', E'it\\'s;', ";"`, [`select ';', E'it\\'s;', ";"`]],
  [
    'do $$ begin perform 1; end $$; create function f() as $x$ a; $$ b; $x$;',
    ['do $$ begin perform 1; end $$', 'create function f() as $x$ a; $$ b; $x$'],
  ],
  [`select 'it''s; ', $1;;`, [`select 'it''s; ', $1`]],
])('the SQL %s is split into its statements', (sql, expected) => {
  expect(splitStatements(sql).map((statement) => statement.text)).toEqual(expected)
})

test('split statements have their line numbers', () => {
  expect(splitStatements('\n-- x\nselect 1;\n\n/* y\n */ select 2').map(({ line }) => line)).toEqual([3, 6])
})
