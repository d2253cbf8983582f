import { listParcels } from '@karvon/contract/parcels/parcels.ts'
import { anyPeriod, readParcelAddress } from '@karvon/contract/parcels/parcels.address.ts'
import { type DateRangeValue, getMonthRange } from '@karvon/contract/lib/day-ranges.ts'
import { getToday } from '../../lib/format/date-time.format.ts'
import { canReload, useList } from '../../lib/list.query.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useFeature, useSettings } from '../../lib/settings.store.ts'
import { formatSort, getPeriodFilters, type TableControl } from '../../lib/table-state.ts'
import type { ReceivedParcel } from './parcel.received.ts'
import { parcelsRefetchMs, useProblemCountsAfterList } from './problems.query.ts'

/** The list of parcels by the address. Without a period in the address it has those of the current month. */
export function useParcelList(table: TableControl) {
  const { page, size, sort, search, filters } = table.state
  const today = getToday(useSettings().time_zone)
  const month = getMonthRange(today)
  const { period, isAllTime, problem, payment, query } = readParcelAddress(filters, {
    today,
    hasProblems: useFeature('parcel_problems'),
    hasPayments: useFeature('cash_on_delivery'),
  })
  const list = useList<ReceivedParcel>({
    table,
    key: queryKeys.parcelList,
    call: listParcels,
    query: { ...query, orderno: search, sort: formatSort(sort), page, limit: size },
    refetchInterval: (query) => canReload(query) && parcelsRefetchMs,
    refetchOnWindowFocus: canReload,
  })
  useProblemCountsAfterList(list.result.dataUpdatedAt)
  const isMonth = (value: DateRangeValue | null) => value?.start === month.start && value.end === month.end
  const setPeriod = (value: DateRangeValue | null) =>
    table.change({
      filters: {
        ...getPeriodFilters(!isAllTime && isMonth(value) ? null : value),
        ...(value === null && !isAllTime && { period: anyPeriod }),
      },
    })
  const isUnfiltered =
    isMonth(period) &&
    search === '' &&
    !filters.status &&
    problem === undefined &&
    Object.values(payment).every((value) => value === undefined)
  return { list, today, period, setPeriod, isUnfiltered }
}

export type ParcelList = ReturnType<typeof useParcelList>
