import { statusTypes } from '@karvon/contract/status-types/status-types.ts'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'

export const StatusTypesPage = resourcePage(statusTypes, { filters: { is_active: anyTexts.state } })
