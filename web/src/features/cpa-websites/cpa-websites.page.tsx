import { Suspense } from 'react'
import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { lazyOptional } from '../../components/lazy-optional.ts'
import { WithFeature } from '../../resources/feature.tsx'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'
import { listConnectors } from './connectors.query.ts'
import { tryTexts as texts } from './cpa-websites.texts.ts'

const TryCredential = lazyOptional(async () => (await import('./try-credential.tsx')).TryCredential)

export const CpaWebsitesPage = resourcePage(cpaWebsites, {
  filters: { cpa_source_id: anyTexts.sources },
  width: 760,
  fields: {
    connector: { placeholder: texts.noConnector },
    mapping: { hint: texts.mappingHint },
  },
  optionLoaders: { connector: listConnectors },
  actions: (row, _close, values) => (
    <WithFeature feature="fetching">
      <Suspense>
        <TryCredential website={row} values={values} />
      </Suspense>
    </WithFeature>
  ),
})
