import { maxUnsettledDays } from '@karvon/contract/lib/limits.ts'
import { payTypes } from '@karvon/contract/parcels/parcels.ts'
import { useFeature } from '../../lib/settings.store.ts'
import type { TableState } from '../../lib/table-state.ts'

/** The keys of the URL for the filters by payment. */
export const paymentFilterKeys = ['unsettled', 'pay_type', 'courier'] as const
export type PaymentFilterKey = (typeof paymentFilterKeys)[number]

/**
 * The filters by payment in the URL, as the query of the list. Empty where the host has no such filters. A value that
 * the host would refuse is left out.
 */
export function usePaymentQuery({ unsettled, pay_type, courier }: TableState['filters']) {
  if (!useFeature('cash_on_delivery')) return {}
  const isDays =
    unsettled !== undefined && /^\d{1,3}$/.test(unsettled) && Number(unsettled) <= maxUnsettledDays
  return {
    unsettled_days: isDays ? Number(unsettled) : undefined,
    pay_type: payTypes.find((type) => type === pay_type),
    courier_code: courier,
  }
}
