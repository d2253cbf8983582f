import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createUser } from '../../../test/people.ts'
import { maxChangesPerPerson } from '../limits/limits.ts'

let product: Product
let admin: Session
let person: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  person = await createUser(product.app, admin, 'buyer')
})
afterAll(() => product.close())

const markAsRead = (as: Session) => callApi(product.app, as, 'POST', '/api/inbox/read/', { ids: [1] })

/** The first refusal of so many requests. */
async function findRefusal(as: Session, requests: number) {
  for (let n = 0; n < requests; n += 1) {
    const answer = await markAsRead(as)
    if (answer.statusCode === 429) return answer
  }
  return null
}

test('changes of a person are limited, and reading, signing out and the changes of others and admins are not', async () => {
  // Two windows of a minute may share the requests.
  const refusal = await findRefusal(person, 2 * maxChangesPerPerson + 1)
  expect(refusal?.json()).toMatchObject({ code: 'too_many_requests' })
  expect(Number(refusal?.headers['retry-after'])).toBeGreaterThan(0)
  expect(await findRefusal(await createUser(product.app, admin, 'other'), 1)).toBeNull()
  expect(await findRefusal(admin, maxChangesPerPerson + 1)).toBeNull()
  expect((await callApi(product.app, person, 'GET', '/api/inbox/')).statusCode).toBe(200)
  expect((await callApi(product.app, person, 'POST', '/parcel/auth/logout')).statusCode).toBe(200)
})
