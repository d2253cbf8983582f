import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product } from '../../../test/app.ts'
import { createRow } from '../../../test/people.ts'
import { NetworkError } from '../../integrations/cpa-network/cpa-network.error.ts'
import { createMissingOffersFetch } from './connectors.offers.ts'

let product: Product
let sourceId: number
beforeAll(async () => {
  product = await createTestApp()
  const source = { name: 'Network', url: 'https://network.example' }
  sourceId = await createRow(product.app, await signInAdmin(product.app), '/api/admin/cpa-sources/', source)
})
afterAll(() => product.close())

/** The ids that a run requests for five unknown offers, if the network fails with `error`. */
async function listRequestedIds(error: NetworkError): Promise<string[]> {
  const requestedIds: string[] = []
  const network = {
    signIn: async () => null,
    fetchPage: async () => ({ items: [], keys: [], cursor: '', nextCursor: null }),
    fetchFinance: async () => null,
    fetchOffer: async (id: string) => {
      requestedIds.push(id)
      throw error
    },
  }
  const fetchMissingOffers = createMissingOffersFetch({
    db: product.deps.db,
    run: { addCounts: async () => {}, store: (work) => work(product.deps.db) },
    sourceId,
    description: { offer: { url: '/offers/{id}', item: 'data', fields: { extra_id: 'id', name: 'name' } } },
    network,
  })
  await fetchMissingOffers(['1', '2', '3'].map((id) => ({ offer_extra_id: id })))
  await fetchMissingOffers(['4', '5'].map((id) => ({ offer_extra_id: id })))
  return requestedIds
}

test('a run requests no further offer after one that the network did not answer in time', async () => {
  const reason = describeSync('host_timeout', { host: 'network.example' })
  const ids = await listRequestedIds(new NetworkError('failed', reason, { isTimeout: true }))
  expect(ids).toEqual(['1'])
})

test('a run requests all other offers after one that the network refuses', async () => {
  const reason = describeSync('network_status', { status: 410 })
  const ids = await listRequestedIds(new NetworkError('failed', reason, { isRejection: true }))
  expect(ids).toEqual(['1', '2', '3', '4', '5'])
})
