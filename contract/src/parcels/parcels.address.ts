import { getMonthRange, type DateRangeValue } from '../lib/day-ranges.ts'
import { maxUnsettledDays } from '../lib/limits.ts'
import { payTypes } from './parcels.ts'

/**
 * The value of `period` in the address for no period. Without the parameter the period is the current month, or
 * all time while the filter of problems or of unsettled parcels is on.
 */
export const anyPeriod = 'any'

/** The keys of the address for the filters by payment. */
export const paymentFilterKeys = ['unsettled', 'pay_type', 'courier'] as const
export type PaymentFilterKey = (typeof paymentFilterKeys)[number]

type Filters = Readonly<Record<string, string | undefined>>

interface ParcelAddressOptions {
  /** A day of the installation's time zone. */
  readonly today: string
  /** The features of the host. */
  readonly hasProblems: boolean
  readonly hasPayments: boolean
}

/** The filters by payment. A value that the host would refuse is left out. */
function readPayment({ unsettled, pay_type, courier }: Filters) {
  const isDays =
    unsettled !== undefined && /^\d{1,3}$/.test(unsettled) && Number(unsettled) <= maxUnsettledDays
  return {
    unsettled_days: isDays ? Number(unsettled) : undefined,
    pay_type: payTypes.find((type) => type === pay_type),
    courier_code: courier,
  }
}

/**
 * The filters of the parcels page, by those of its address. `period`: null for all time. `isAllTime`: the other filters make
 * all time the default.
 */
export function readParcelAddress(
  filters: Filters,
  { today, hasProblems, hasPayments }: ParcelAddressOptions,
) {
  const { from, to } = filters
  const problem = hasProblems ? filters.problem : undefined
  const payment: Partial<ReturnType<typeof readPayment>> = hasPayments ? readPayment(filters) : {}
  const isAllTime = problem !== undefined || payment.unsettled_days !== undefined
  const hasNoPeriod = filters.period === anyPeriod || (isAllTime && from === undefined)
  const days = from !== undefined && to !== undefined ? { start: from, end: to } : getMonthRange(today)
  const period: DateRangeValue | null = hasNoPeriod ? null : days
  const query = {
    date_from: period?.start,
    date_to: period?.end,
    status: filters.status,
    problem,
    ...payment,
  }
  return { period, isAllTime, problem, payment, query }
}
