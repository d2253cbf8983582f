import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const CpaSourcesPage = resourcePage(cpaSources, { filters: { is_active: 'Any state' } })
