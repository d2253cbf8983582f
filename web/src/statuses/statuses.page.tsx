import { statuses } from '@karvon/contract/statuses/statuses.ts'
import { anyTexts as any } from '../kit/list-filters.texts.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const StatusesPage = resourcePage(statuses, {
  filters: { type_id: any.types, is_active: any.state },
})
