import { statuses } from '@karvon/contract/statuses/statuses.ts'
import { anyTexts as any } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'

export const StatusesPage = resourcePage(statuses, {
  filters: { type_id: any.types, is_active: any.state },
})
