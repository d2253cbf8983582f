import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { anyTexts as any } from '../kit/list-filters.texts.ts'
import { resourcePage } from '../kit/resource-page.tsx'
import { PostbackAddress } from './postback-address.tsx'

export const CpaSourcesPage = resourcePage(cpaSources, {
  filters: { is_active: any.state },
  // A host of the described calls alone has no postbacks.
  actions: (row) => row.postback_key && <PostbackAddress of={row} />,
})
