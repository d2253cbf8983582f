import { streams } from '@karvon/contract/streams/streams.ts'
import { anyTexts as any } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'

export const StreamsPage = resourcePage(streams, {
  filters: { source_id: any.sources, user_id: any.users, is_active: any.state },
})
