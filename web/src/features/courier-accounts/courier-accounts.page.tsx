import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import { fetchCourierOrders, runCourierAccount } from '@karvon/contract/syncs/syncs.ts'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'
import { createHealthColumn } from '../syncs/health-cell.tsx'

export const CourierAccountsPage = resourcePage(courierAccounts, {
  filters: { user_id: anyTexts.users, is_active: anyTexts.state },
  columns: [
    createHealthColumn({
      resource: courierAccounts,
      run: runCourierAccount,
      fetchOrders: fetchCourierOrders,
      key: 'courier_account_id',
    }),
  ],
  refresh: 30_000,
})
