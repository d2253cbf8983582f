import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const SourceCredentialsPage = resourcePage(sourceCredentials, {
  filters: { source_id: 'All sources', user_id: 'All users' },
})
