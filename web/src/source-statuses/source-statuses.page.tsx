import { sourceStatuses } from '@karvon/contract/source-statuses/source-statuses.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const SourceStatusesPage = resourcePage(sourceStatuses, {
  filters: { source_id: 'All sources', status_id: 'All statuses' },
})
