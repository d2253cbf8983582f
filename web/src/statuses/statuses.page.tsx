import { statuses } from '@karvon/contract/statuses/statuses.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const StatusesPage = resourcePage(statuses, {
  filters: { type_id: 'All types', is_active: 'Any state' },
})
