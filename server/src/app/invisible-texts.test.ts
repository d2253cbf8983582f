import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { createUser } from '../../test/people.ts'

let product: Product
let admin: Session
let parcel: number
beforeAll(async () => {
  product = await createTestApp({
    KARVON_REGISTRATION: 'live',
    KARVON_SMTP_URL: 'smtp://127.0.0.1:9',
    KARVON_SMTP_FROM: 'k@example.com',
    KARVON_PUBLIC_URL: 'https://karvon.example',
  })
  admin = await signInAdmin(product.app)
  const { rows } = await product.deps.pool.query<{ id: number }>(
    `insert into parcels (orderno, day, status_code, status_raw, status_title, eventtime)
     values ('invisible', current_date, 'PENDING', 'NEW', 'New', now()) returning id`,
  )
  parcel = rows[0]?.id ?? 0
})
afterAll(() => product.close())

const account = { email: 'new@example.com', password: 'a long new password' }

test.each([
  ['a zero width space', '\u200B'],
  ['right-to-left marks', '\u200F \u202E'],
  ['a Hangul filler', '\u3164'],
])('a name, a username or a note of %s is refused', async (_what, text) => {
  const person = await createUser(product.app, admin, `person${text.length}${text.codePointAt(0)}`)
  const before = (await callApi(product.app, person, 'GET', '/parcel/auth/profile')).body
  const answers = [
    await callApi(product.app, person, 'PUT', '/parcel/auth/profile', { name: text }),
    await callApi(product.app, admin, 'POST', `/api/parcel/parcels/${parcel}/notes/`, { text }),
    await callApi(product.app, null, 'POST', '/parcel/auth/register', {
      username: 'new',
      name: text,
      ...account,
    }),
    await callApi(product.app, null, 'POST', '/parcel/auth/register', { username: text, ...account }),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 422])
  expect((await callApi(product.app, person, 'GET', '/parcel/auth/profile')).body).toBe(before)
})
