import { statusTypes } from '@karvon/contract/status-types/status-types.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const StatusTypesPage = resourcePage(statusTypes, { filters: { is_active: 'Any state' } })
