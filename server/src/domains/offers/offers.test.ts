import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { offers } from '@karvon/contract/offers/offers.ts'
import { streams } from '@karvon/contract/streams/streams.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, firstAdmin, signIn, type Product, type Session } from '../../../test/app.ts'
import { createSample, type Row } from '../../../test/sample.ts'

let product: Product
let admin: Session
beforeAll(async () => {
  product = await createTestApp()
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
})
afterAll(() => product.close())

const createOffer = (values: Record<string, unknown> = {}) =>
  createSample(product.app, admin, offers, { master_offer_id: null, ...values })
const createStream = (values: Record<string, unknown> = {}) =>
  createSample(product.app, admin, streams, values)
const createSource = () => createSample(product.app, admin, cpaSources)
const update = async ({ path }: { path: string }, { id }: Row, body: object) => {
  const answer = await callApi(product.app, admin, 'POST', `${path}/${id}`, body)
  return [answer.statusCode, answer.json<{ errors?: unknown }>().errors]
}
const accepted = [200, undefined]

describe('Master offers', () => {
  test('an offer is neither its own master nor the master of one of its masters', async () => {
    const refused = [422, [fieldError('master_offer_id', 'own_master_offer')]]
    const [first, second, third] = [await createOffer(), await createOffer(), await createOffer()]
    expect(await update(offers, first, { master_offer_id: first.id })).toEqual(refused)
    expect(await update(offers, first, { master_offer_id: second.id })).toEqual(accepted)
    expect(await update(offers, second, { master_offer_id: third.id })).toEqual(accepted)
    expect(await update(offers, third, { master_offer_id: first.id })).toEqual(refused)
    expect(await update(offers, first, { master_offer_id: null })).toEqual(accepted)
    expect(await update(offers, third, { master_offer_id: first.id })).toEqual(accepted)
  })

  test('offers that become masters of each other at once form no loop', async () => {
    const [first, second] = [await createOffer(), await createOffer()]
    const answers = await Promise.all([
      update(offers, first, { master_offer_id: second.id }),
      update(offers, second, { master_offer_id: first.id }),
    ])
    expect(answers.map(([status]) => Number(status)).toSorted((a, b) => a - b)).toEqual([200, 422])
  })
})
