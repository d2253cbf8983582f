import { streams } from '@karvon/contract/streams/streams.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const StreamsPage = resourcePage(streams, {
  filters: { source_id: 'All sources', user_id: 'All users', is_active: 'Any state' },
})
