import { Suspense } from 'react'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { closeGap, runSourceCredential } from '@karvon/contract/syncs/syncs.ts'
import { lazyOptional } from '../../components/lazy-optional.ts'
import { WithFeature } from '../../resources/feature.tsx'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'
import { createHealthColumn } from '../syncs/health-cell.tsx'

const TestCredential = lazyOptional(async () => (await import('./test-credential.tsx')).TestCredential)

export const SourceCredentialsPage = resourcePage(sourceCredentials, {
  filters: { source_id: anyTexts.sources, user_id: anyTexts.users },
  columns: [
    createHealthColumn({
      resource: sourceCredentials,
      run: runSourceCredential,
      closeGap,
      key: 'source_credential_id',
    }),
  ],
  refresh: 30_000,
  actions: (row) => (
    <WithFeature feature="fetching">
      <Suspense>
        <TestCredential credential={row} />
      </Suspense>
    </WithFeature>
  ),
})
