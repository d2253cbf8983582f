import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'

let product: Product
let admin: Session
beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const create = (username: string, password = 'uzun so\u2018z 41') =>
  callApi(product.app, admin, 'POST', '/api/admin/users/', {
    username,
    name: 'x',
    email: 'x@example.uz',
    password,
    role_id: 2,
  })

test.each(['аdmin', 'admın', 'admİn', 'ａｄｍｉｎ', 'ad\u200Bmin', 'admin\u0007'])(
  'a username that looks like admin is refused: %s',
  async (username) => {
    expect((await create(username)).statusCode).toBe(422)
  },
)

test.each([
  ['a combining grapheme joiner', 'ad\u034Fmin'],
  ['a variation selector', 'admin\uFE0F'],
  ['a filler of Hangul', 'admin\u115F'],
  ['a vowel of Khmer without a shape', 'admin\u17B4'],
  ['an empty Braille pattern', 'admin\u2800'],
  ['a letter of Cherokee', 'ꭺdmin'],
  ['a letter of Coptic', 'ⲁdmin'],
])('a username that looks like admin is refused: with %s', async (_name, username) => {
  expect((await create(username)).statusCode).toBe(422)
})

test('a username in another alphabet that looks like a used one is refused', async () => {
  expect((await create('coxa')).statusCode).toBe(201)
  const answer = await create('соха')
  expect([answer.statusCode, answer.json()]).toMatchObject([
    409,
    { errors: [{ field: 'username', message: 'Username looks like one that is already taken.' }] },
  ])
  expect((await create('Шахноза опа')).statusCode).toBe(201)
  expect((await create('anvar Ёлка 1')).statusCode).toBe(201)
})

test('a username with another kind of apostrophe looks like the used one', async () => {
  expect((await create("o'ktam")).statusCode).toBe(201)
  for (const username of ['oʻktam', 'o’ktam', 'O`KTAM']) {
    const answer = await create(username)
    expect([answer.statusCode, answer.json()], username).toMatchObject([409, { code: 'lookalike_exists' }])
  }
  expect((await create("O'ktam")).json()).toMatchObject({ code: 'already_exists' })
  expect((await create('oktam')).statusCode).toBe(201)
})

test('a role code that looks like admin is refused', async () => {
  for (const code of ['аdmin', 'ADMIN', 'admın']) {
    const answer = await callApi(product.app, admin, 'POST', '/api/admin/roles/', { name: 'x', code })
    expect([409, 422], code).toContain(answer.statusCode)
  }
})

test('an admin cannot set a weak password for anybody', async () => {
  for (const password of ['a', '12345678', 'password1', 'sardor2026'])
    expect((await create('sardor', password)).statusCode, password).toBe(422)
  const createAnswer = await create('sardor')
  const { id } = createAnswer.json<{ id: number }>()
  const putAnswer = await callApi(product.app, admin, 'PUT', `/api/admin/users/${id}`, {
    password: 'sardor2026',
  })
  expect([putAnswer.statusCode, putAnswer.json()]).toMatchObject([
    422,
    { errors: [{ field: 'password', message: 'The password is the name of its owner.' }] },
  ])
})
