import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, TEST_TIMEZONE, type TestDatabase } from '../../../test/database.ts'
import { openDb, openPool } from '../../platform/database/pool.ts'
import { passwordCost } from '../../config.passwords.ts'
import { PasswordHasher } from '../../platform/security/passwords.ts'
import { ensureFirstAdmin } from './first-admin.ts'

const passwords = new PasswordHasher(passwordCost)
let database: TestDatabase
let pool: ReturnType<typeof openPool>

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool(database.url, { timezone: TEST_TIMEZONE })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

test('processes that start together make one first admin, and one of them knows the password', async () => {
  const db = openDb(pool)
  const starts = Array.from({ length: 5 }, () =>
    ensureFirstAdmin({ db, passwords }, { username: 'boss', password: undefined }),
  )
  const createdAdmins = (await Promise.all(starts)).filter((result) => result.isCreated)
  expect(createdAdmins).toHaveLength(1)
  const people = await db.selectFrom('users').selectAll().execute()
  expect(people).toMatchObject([{ username: 'boss', role_id: 1, is_active: true }])
  const [password, storedHash] = [createdAdmins[0]?.password ?? '', people[0]?.password_hash ?? '']
  expect(password.length).toBeGreaterThanOrEqual(16)
  expect(storedHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await passwords.verify(password, storedHash)).toBe(true)
  expect(await ensureFirstAdmin({ db, passwords }, { username: 'other', password: 'given' })).toMatchObject({
    isCreated: false,
  })
})

test.each([
  ['short', 'The password must have at least 8 characters.'],
  ['abcabcabc', 'The password repeats itself.'],
  ['+998901234567', 'The password has only digits and signs.'],
  ['karvon2026', 'The password is one of the most common.'],
  ['Zulfiya-1990', 'The password is the name of its owner.'],
  ['correct horse', null],
])('the first admin with the password %s gets a warning of the rule: %s', async (password, brokenRule) => {
  const db = openDb(pool)
  await db.deleteFrom('users').execute()
  expect(await ensureFirstAdmin({ db, passwords }, { username: 'zulfiya', password })).toMatchObject({
    isCreated: true,
    brokenRule,
  })
})
