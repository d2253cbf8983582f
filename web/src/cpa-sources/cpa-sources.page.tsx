import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { WithFeature } from '../kit/feature.tsx'
import { anyTexts as any } from '../kit/list-filters.texts.ts'
import { resourcePage } from '../kit/resource-page.tsx'
import { PostbackAddress } from './postback-address.tsx'

export const CpaSourcesPage = resourcePage(cpaSources, {
  filters: { is_active: any.state },
  actions: ({ id, postback_key: key }) =>
    key && (
      <WithFeature feature="leads">
        <PostbackAddress of={{ id, postback_key: key }} />
      </WithFeature>
    ),
})
