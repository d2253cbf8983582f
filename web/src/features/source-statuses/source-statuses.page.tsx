import { sourceStatuses } from '@karvon/contract/source-statuses/source-statuses.ts'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'

export const SourceStatusesPage = resourcePage(sourceStatuses, {
  filters: { source_id: anyTexts.sources, status_id: anyTexts.statuses },
})
