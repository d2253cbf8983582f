import { useMemo } from 'react'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { getPresetRanges, isPresetName, type DateRangeValue } from '@karvon/contract/lib/day-ranges.ts'
import { isDay } from './format/date-range.rules.ts'
import { getToday } from './format/date-time.format.ts'
import { useSettings } from './settings.store.ts'
import { maxPage } from '@karvon/contract/lib/limits.ts'
import { anyValue, pageSizeBounds } from '@karvon/contract/lib/page.ts'

/** The state of a list in the URL. Any other key is a filter. Default values are not written. */
export interface ListSearch {
  tab?: string
  page?: number | undefined
  size?: number | undefined
  sort?: string
  search?: string
  [filter: string]: string | number | undefined
}

/**
 * `pageSize` is the default page size. `filters` are the keys of the URL that are filters of the list. `defaults` are the
 * values of those that the URL does not have.
 */
export interface TableSpec {
  readonly pageSize: number
  readonly filters?: readonly string[]
  readonly defaults?: Readonly<Record<string, string>>
}

export interface TableSort {
  readonly key: string
  readonly descending: boolean
}

/**
 * `page` counts from 1. `filters` has the filters that are set. `sort` is null for the server's default
 * order. `columns` are the keys of the chosen columns in their order, absent for those of the page.
 */
export interface TableState {
  readonly page: number
  readonly size: number
  readonly sort: TableSort | null
  readonly search: string
  readonly filters: Readonly<Record<string, string>>
  readonly columns?: string
}

export interface TableChange {
  page?: number
  size?: number
  sort?: TableSort | null
  search?: string
  /** Empty or undefined removes a filter. */
  filters?: Readonly<Record<string, string | undefined>>
  /** Empty: the columns of the page. */
  columns?: string
  /** The address is corrected. This is not a step that Back undoes. */
  isCorrection?: boolean
}

/** The filters `from` and `to` of a period. A preset is stored by its name, so that a saved view of it stays relative. */
export const getPeriodFilters = (
  value: DateRangeValue | null,
): Readonly<Record<string, string | undefined>> =>
  value?.preset === undefined
    ? { from: value?.start, to: value?.end, period: undefined }
    : { from: undefined, to: undefined, period: value.preset }

function readPositiveInteger(value: unknown, max: number): number | undefined {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isInteger(number) && number >= 1 && number <= max ? number : undefined
}

/**
 * Reads the search of the URL. A malformed value becomes undefined, because the router merges the result over
 * the URL's own values.
 */
export function readListSearch(urlSearch: Readonly<Record<string, unknown>>): ListSearch {
  const search: ListSearch = {}
  for (const [key, value] of Object.entries(urlSearch)) {
    if (key === 'page' || key === 'size') continue
    if (typeof value === 'string' && value !== '') search[key] = value
    else if (typeof value === 'number' || typeof value === 'boolean') search[key] = String(value)
  }
  const { from, to } = search
  const isWrong = (day: string | number | undefined) => day !== undefined && !isDay(String(day))
  const isReversed = from !== undefined && to !== undefined && from > to
  if (isWrong(from) || isReversed) search.from = undefined
  if (isWrong(to) || isReversed) search.to = undefined
  const page = readPositiveInteger(urlSearch.page, maxPage)
  if (urlSearch.page !== undefined) search.page = page !== undefined && page > 1 ? page : undefined
  if (urlSearch.size !== undefined) search.size = readPositiveInteger(urlSearch.size, pageSizeBounds.max)
  return search
}

/** `today` is the day from which a period by its name is counted. A page with a default period counts
 * by its own names. */
export function readTableState(search: ListSearch, spec: TableSpec, today: string): TableState {
  const filters: Record<string, string> = {}
  for (const key of spec.filters ?? []) {
    const defaultValue = spec.defaults?.[key]
    const value = search[key] ?? defaultValue
    const isRemoved = defaultValue !== undefined && value === anyValue
    if (value !== undefined && !isRemoved) filters[key] = String(value)
  }
  const { sort, period, columns } = search
  const readsDays = spec.filters?.includes('from') === true && spec.defaults?.period === undefined
  if (readsDays && search.from === undefined && isPresetName(period)) {
    const { start, end } = getPresetRanges(today)[period]
    filters.from = start
    filters.to = end
  }
  return {
    page: search.page ?? 1,
    size: search.size ?? spec.pageSize,
    sort: sort ? { key: sort.replace(/^-/, ''), descending: sort.startsWith('-') } : null,
    search: search.search ?? '',
    filters,
    ...(columns !== undefined && { columns: String(columns) }),
  }
}

/** A sort as text, on the wire and in the URL. */
export const formatSort = (sort: TableSort | null): string | undefined =>
  sort ? `${sort.descending ? '-' : ''}${sort.key}` : undefined

/** The search of the URL after a change. Any change but of the page returns to page 1. */
export function applyTableChange(search: ListSearch, change: TableChange, spec: TableSpec): ListSearch {
  const next: Record<string, string | number | undefined> = { ...search, ...change.filters }
  for (const [key, defaultValue] of Object.entries(spec.defaults ?? {})) {
    if (change.filters === undefined || !(key in change.filters)) continue
    const value = change.filters[key] ?? ''
    next[key] = value === '' ? anyValue : value === defaultValue ? undefined : value
  }
  if (change.search !== undefined) next.search = change.search
  if (change.columns !== undefined) next.columns = change.columns
  if (change.sort !== undefined) next.sort = formatSort(change.sort)
  if (change.size !== undefined) next.size = change.size === spec.pageSize ? undefined : change.size
  const page = change.page ?? 1
  next.page = page > 1 ? page : undefined
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== ''))
}

export interface TableControl {
  readonly state: TableState
  /** Writes the change into the URL. */
  readonly change: (change: TableChange) => void
}

/**
 * The state of the page's list, in the URL. Each change is a step that Back undoes. Typing on in a search
 * replaces its first step. While another page loads, a change leads back from it, but a late search does not.
 */
export function useTableState(spec: TableSpec): TableControl {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const today = getToday(useSettings().time_zone)
  const state = useMemo(() => readTableState(search, spec, today), [search, spec, today])
  const change = (tableChange: TableChange) => {
    const { latestLocation, state: routerState } = router
    const { pathname, search: shownSearch } = routerState.resolvedLocation ?? latestLocation
    const isLeaving = latestLocation.pathname !== pathname
    if (isLeaving && tableChange.search !== undefined) return
    const isTyping = tableChange.search !== undefined && tableChange.search !== '' && state.search !== ''
    void navigate({
      to: pathname,
      // The latest, because a change just before may not be shown yet.
      search: (latest: ListSearch) => applyTableChange(isLeaving ? shownSearch : latest, tableChange, spec),
      replace: isLeaving || isTyping || tableChange.isCorrection === true,
      resetScroll: false,
    })
  }
  return { state, change }
}
