import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createTestDatabase, TEST_TIMEZONE } from '../../../test/database.ts'
import { createAdmin } from '../auth/account-recovery.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { openPool } from '../../platform/database/pool.ts'

let product: Product
let admin: Session
beforeAll(async () => {
  product = await createTestApp({ KARVON_REGISTRATION: 'live' })
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const password = 'uzun so\u2018z 41'

/** Twenty different names that all look alike. Each word of a name uses one alphabet. */
const lookAlikes = (latin: string, cyrillic: string): string[] =>
  Array.from({ length: 20 }, (_, name) =>
    Array.from({ length: 5 }, (__, at) => ((name >> at) % 2 === 0 ? latin : cyrillic)).join(' '),
  )
const countLike = async (table: 'users' | 'roles', column: 'username' | 'code', name: string) => {
  const { rows } = await product.deps.pool.query<{ count: number }>(
    `select count(*) from ${table} where folded_name(${column}) = folded_name($1)`,
    [name],
  )
  return rows[0]?.count
}
const person = (username: string) => ({ username, name: 'x', email: 'x@example.uz', password, role_id: 2 })
const problem = (label: string) => ({
  code: expect.stringMatching(/^(already|lookalike)_exists$/),
  errors: [{ field: label.toLowerCase(), message: expect.stringMatching(`^${label} .*already taken.$`) }],
})

test('one of twenty simultaneous new users with look-alike usernames is stored', async () => {
  const names = lookAlikes('coxa', 'соха')
  const answers = await Promise.all(
    names.map((username, at) =>
      at % 2 === 0
        ? callApi(product.app, admin, 'POST', '/api/admin/users/', person(username))
        : product.app.inject({
            method: 'POST',
            url: '/parcel/auth/register',
            remoteAddress: `198.51.${at}.1`,
            payload: { username, email: 'x@example.uz', password },
          }),
    ),
  )
  expect(await countLike('users', 'username', names[0] ?? '')).toBe(1)
  expect(answers.filter(({ statusCode }) => statusCode < 300)).toHaveLength(1)
  for (const answer of answers.filter(({ statusCode }) => statusCode >= 300))
    expect([answer.statusCode, answer.json()]).toMatchObject([409, problem('Username')])
})

test('one of twenty simultaneous renames to look-alike usernames succeeds', async () => {
  const names = lookAlikes('poxy', 'роху')
  const createAnswers = await Promise.all(
    names.map((_, at) => callApi(product.app, admin, 'POST', '/api/admin/users/', person(`somebody ${at}`))),
  )
  const answers = await Promise.all(
    createAnswers.map((answer, at) =>
      callApi(product.app, admin, 'PUT', `/api/admin/users/${answer.json<{ id: number }>().id}`, {
        username: names[at],
      }),
    ),
  )
  expect(await countLike('users', 'username', names[0] ?? '')).toBe(1)
  const refusals = answers.filter(({ statusCode }) => statusCode !== 200)
  expect(refusals).toHaveLength(19)
  for (const answer of refusals)
    expect([answer.statusCode, answer.json()]).toMatchObject([409, problem('Username')])
})

test('one of sixteen simultaneous renames to usernames with other apostrophes succeeds', async () => {
  const names = Array.from({ length: 16 }, (_, at) =>
    [0, 2].reduce((name, shift) => name.replace('?', "'`ʻ’"[(at >> shift) % 4] ?? ''), 'g?o?zal'),
  )
  const createAnswers = await Promise.all(
    names.map((_, at) => callApi(product.app, admin, 'POST', '/api/admin/users/', person(`anybody ${at}`))),
  )
  const answers = await Promise.all(
    createAnswers.map((answer, at) =>
      callApi(product.app, admin, 'PUT', `/api/admin/users/${answer.json<{ id: number }>().id}`, {
        username: names[at],
      }),
    ),
  )
  const refusals = answers.filter(({ statusCode }) => statusCode !== 200)
  expect(refusals).toHaveLength(15)
  for (const answer of refusals)
    expect([answer.statusCode, answer.json()]).toMatchObject([409, problem('Username')])
})

test('one of twenty simultaneous create-admin commands with look-alike usernames succeeds', async () => {
  const names = lookAlikes('ceo', 'сео')
  const creations = await Promise.allSettled(
    names.map((name) => createAdmin(product.deps, { username: name, password })),
  )
  expect(await countLike('users', 'username', names[0] ?? '')).toBe(1)
  const refusals = creations.flatMap((creation) =>
    creation.status === 'rejected' ? [String(creation.reason)] : [],
  )
  expect(refusals).toHaveLength(19)
  for (const reason of refusals) expect(reason).toMatch(/^AppError: Username .*already taken\.$/)
})

test('one of twenty simultaneous new roles with look-alike codes is stored', async () => {
  const names = lookAlikes('copy', 'сору')
  const answers = await Promise.all(
    names.map((code) => callApi(product.app, admin, 'POST', '/api/admin/roles/', { name: 'x', code })),
  )
  expect(await countLike('roles', 'code', names[0] ?? '')).toBe(1)
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 201))
    expect([answer.statusCode, answer.json()]).toMatchObject([409, problem('Code')])
  // Roles are created one by one, so the test checks the index directly.
  const past = product.deps.pool.query('insert into roles (name, code) values ($1, $2)', [
    'x',
    lookAlikes('copy', 'сору')[7],
  ])
  await expect(past).rejects.toMatchObject({ code: '23505', constraint: 'roles_code_folded_key' })
})

test('the migration keeps existing look-alikes, the oldest with the plain folded name', async () => {
  const database = await createTestDatabase({ empty: true })
  const folder = await mkdtemp(join(tmpdir(), 'karvon-before-'))
  const migrationsFolder = join(import.meta.dirname, '../../platform/database/migrations')
  const before = (await readdir(migrationsFolder)).filter((name) => name < '0027')
  await Promise.all(before.map((name) => copyFile(join(migrationsFolder, name), join(folder, name))))
  const pool = openPool(database.url, { timezone: TEST_TIMEZONE, max: 1 })
  try {
    await migrate(database.url, { timezone: TEST_TIMEZONE, folder })
    await pool.query(`insert into roles (name, code) values ('a', 'соха'), ('b', 'coxa'), ('c', 'sochi')`)
    await pool.query(`insert into users (username, name, email, password_hash, role_id)
      select name, 'x', 'x@example.uz', 'x', 1 from unnest(array['соха', 'anvar', 'coxa', 'Cоха']) as name`)
    await migrate(database.url, { timezone: TEST_TIMEZONE })
    const users = await pool.query('select id, username, username_folded from users order by id')
    expect(users.rows).toEqual([
      { id: 1, username: 'соха', username_folded: 'coxa' },
      { id: 2, username: 'anvar', username_folded: 'anvar' },
      { id: 3, username: 'coxa', username_folded: 'coxa\u001F3' },
      { id: 4, username: 'Cоха', username_folded: 'coxa\u001F4' },
    ])
    const roles = await pool.query('select code, code_folded from roles where id > 2 order by id')
    expect(roles.rows).toEqual([
      { code: 'соха', code_folded: 'coxa' },
      { code: 'coxa', code_folded: 'coxa\u001F4' },
      { code: 'sochi', code_folded: 'sochi' },
    ])
    // A change without a new name still works.
    await pool.query(`update users set username = username, name = 'y' where id = 4`)
    await pool.query(`update users set username = 'anora' where id = 4`)
    const renamedUser = await pool.query('select username_folded from users where id = 4')
    expect(renamedUser.rows).toEqual([{ username_folded: 'anora' }])
  } finally {
    await pool.end()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
