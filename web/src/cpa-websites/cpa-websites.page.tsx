import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const CpaWebsitesPage = resourcePage(cpaWebsites, {
  filters: { cpa_source_id: 'All sources' },
  hidden: ['connector', 'mapping'],
})
