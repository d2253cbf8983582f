import { streams } from '@karvon/contract/streams/streams.ts'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'

export const StreamsPage = resourcePage(streams, {
  filters: { source_id: anyTexts.sources, user_id: anyTexts.users, is_active: anyTexts.state },
})
