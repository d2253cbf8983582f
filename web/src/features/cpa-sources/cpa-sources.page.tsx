import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { WithFeature } from '../../resources/feature.tsx'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'
import { PostbackAddress } from './postback-address.tsx'

export const CpaSourcesPage = resourcePage(cpaSources, {
  filters: { is_active: anyTexts.state },
  actions: ({ id, postback_key: key }) =>
    key && (
      <WithFeature feature="leads">
        <PostbackAddress source={{ id, postback_key: key }} />
      </WithFeature>
    ),
})
