import { offers } from '@karvon/contract/offers/offers.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const OffersPage = resourcePage(offers, {
  filters: { source_id: 'All sources', status_id: 'All statuses' },
})
