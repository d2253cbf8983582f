import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { offers } from '@karvon/contract/offers/offers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createSample, type Row } from '../../../test/sample.ts'

let product: Product
let admin: Session
beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const createOffer = () => createSample(product.app, admin, offers)
const update = async ({ id }: Row, body: object) => {
  const answer = await callApi(product.app, admin, 'POST', `${offers.path}/${id}`, body)
  return [answer.statusCode, answer.json<{ errors?: unknown }>().errors]
}
const accepted = [200, undefined]

test('an offer is neither its own master nor the master of one of its masters', async () => {
  const refused = [422, [fieldError('master_offer_id', 'own_master_offer')]]
  const [first, second, third] = [await createOffer(), await createOffer(), await createOffer()]
  expect(await update(first, { master_offer_id: first.id })).toEqual(refused)
  expect(await update(first, { master_offer_id: second.id })).toEqual(accepted)
  expect(await update(second, { master_offer_id: third.id })).toEqual(accepted)
  expect(await update(third, { master_offer_id: first.id })).toEqual(refused)
  expect(await update(first, { master_offer_id: null })).toEqual(accepted)
  expect(await update(third, { master_offer_id: first.id })).toEqual(accepted)
})

test('offers that become masters of each other at once form no loop', async () => {
  const [first, second] = [await createOffer(), await createOffer()]
  const answers = await Promise.all([
    update(first, { master_offer_id: second.id }),
    update(second, { master_offer_id: first.id }),
  ])
  expect(answers.map(([status]) => Number(status)).toSorted((a, b) => a - b)).toEqual([200, 422])
})
