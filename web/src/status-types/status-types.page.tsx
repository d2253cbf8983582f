import { statusTypes } from '@karvon/contract/status-types/status-types.ts'
import { anyTexts as any } from '../kit/list-filters.texts.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const StatusTypesPage = resourcePage(statusTypes, { filters: { is_active: any.state } })
