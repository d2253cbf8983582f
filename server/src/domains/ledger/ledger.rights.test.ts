import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'

let database: LeadDatabase

beforeAll(async () => {
  database = await openLeadDatabase()
  await database.pool.query(
    `insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount)
     values ('adjustment', 1, 'paid', 0, 'UZS', 1), ('adjustment', 1, 'fees', 0, 'UZS', -1)`,
  )
})
afterAll(() => database.close())

const changes = [
  'update ledger_entries set amount = 1',
  'delete from ledger_entries',
  'truncate ledger_entries',
  'insert into ledger_entries overriding system value select * from ledger_entries on conflict (id) do update set amount = 2',
]

test.each(changes)("the product's role has no right to: %s", async (text) => {
  await expect(database.pool.query(text)).rejects.toMatchObject({ code: '42501' })
})

test('no role has a right to change or delete entries', async () => {
  const { rows } = await database.pool.query(
    `select privilege_type from pg_class, aclexplode(relacl)
     where oid = 'ledger_entries'::regclass and privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE')`,
  )
  expect(rows).toEqual([])
})

test.each(changes.slice(0, 3))('a role that has every right is refused: %s', async (text) => {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('grant all on ledger_entries to current_user')
    await expect(client.query(text)).rejects.toThrow(/never changed or deleted/)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
