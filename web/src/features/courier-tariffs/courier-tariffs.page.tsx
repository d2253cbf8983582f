import { courierTariffs } from '@karvon/contract/courier-tariffs/courier-tariffs.ts'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'

export const CourierTariffsPage = resourcePage(courierTariffs, {
  filters: { courier_account_id: anyTexts.courierAccounts },
})
