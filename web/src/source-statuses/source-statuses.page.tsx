import { sourceStatuses } from '@karvon/contract/source-statuses/source-statuses.ts'
import { anyTexts as any } from '../kit/list-filters.texts.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const SourceStatusesPage = resourcePage(sourceStatuses, {
  filters: { source_id: any.sources, status_id: any.statuses },
})
