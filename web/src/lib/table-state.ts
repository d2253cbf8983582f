import { useMemo } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isDay } from './format/date-range.rules.ts'
import { pageSizeBounds } from '@karvon/contract/lib/page.ts'

/** What a list keeps in the URL; any other key is a filter. Defaults are not written. */
export interface ListSearch {
  tab?: string
  page?: number | undefined
  size?: number | undefined
  sort?: string
  search?: string
  [filter: string]: string | number | undefined
}

/** `sort` is the order that the list has by itself; `filters` names the URL's keys that are its filters. */
export interface TableSpec {
  readonly pageSize: number
  readonly filters?: readonly string[]
}

export interface TableSort {
  readonly key: string
  readonly descending: boolean
}

/** `page` counts from 1; `filters` holds those that are set; `sort` is null for the server's own order. */
export interface TableState {
  readonly page: number
  readonly size: number
  readonly sort: TableSort | null
  readonly search: string
  readonly filters: Readonly<Record<string, string>>
}

export interface TableChange {
  page?: number
  size?: number
  sort?: TableSort | null
  search?: string
  /** Empty or undefined takes a filter away. */
  filters?: Readonly<Record<string, string | undefined>>
}

// The server answers up to here; a deeper page is nobody's wish.
const lastPage = 10_000_000

function whole(value: unknown, max: number): number | undefined {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isInteger(number) && number >= 1 && number <= max ? number : undefined
}

/**
 * Reads the URL's search at the edge: whatever is malformed counts as not given. It then stands as undefined, since the
 * router lays what this answers over what the URL says.
 */
export function readListSearch(raw: Readonly<Record<string, unknown>>): ListSearch {
  const search: ListSearch = {}
  for (const [key, value] of Object.entries(raw)) {
    if (key === 'page' || key === 'size') continue
    if (typeof value === 'string' && value !== '') search[key] = value
    else if (typeof value === 'number' || typeof value === 'boolean') search[key] = String(value)
  }
  const { from, to } = search
  const isWrong = (day: string | number | undefined) => day !== undefined && !isDay(String(day))
  const isTurned = from !== undefined && to !== undefined && from > to
  if (isWrong(from) || isTurned) search.from = undefined
  if (isWrong(to) || isTurned) search.to = undefined
  const page = whole(raw.page, lastPage)
  if (raw.page !== undefined) search.page = page !== undefined && page > 1 ? page : undefined
  if (raw.size !== undefined) search.size = whole(raw.size, pageSizeBounds.max)
  return search
}

export function readTable(search: ListSearch, spec: TableSpec): TableState {
  const filters: Record<string, string> = {}
  for (const key of spec.filters ?? []) {
    const value = search[key]
    if (value !== undefined) filters[key] = String(value)
  }
  const { sort } = search
  return {
    page: search.page ?? 1,
    size: search.size ?? spec.pageSize,
    sort: sort ? { key: sort.replace(/^-/, ''), descending: sort.startsWith('-') } : null,
    search: search.search ?? '',
    filters,
  }
}

/** A sort as the wire and the URL spell it. */
export const sortText = (sort: TableSort | null): string | undefined =>
  sort ? `${sort.descending ? '-' : ''}${sort.key}` : undefined

/** The URL's search after a change. Whatever changes what is listed goes back to page 1. */
export function changeTable(search: ListSearch, change: TableChange, spec: TableSpec): ListSearch {
  const next: Record<string, string | number | undefined> = { ...search, ...change.filters }
  if (change.search !== undefined) next.search = change.search
  if (change.sort !== undefined) next.sort = sortText(change.sort)
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
 * The state of the page's list, kept in the URL. Each change is a step that Back undoes; typing on in a
 * search replaces the step that the search began with.
 */
export function useTableState(spec: TableSpec): TableControl {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => readTable(search, spec), [search, spec])
  const change = (wanted: TableChange) => {
    const typing = wanted.search !== undefined && wanted.search !== '' && state.search !== ''
    void navigate({
      to: '.',
      search: changeTable(search, wanted, spec),
      replace: typing,
      resetScroll: false,
    })
  }
  return { state, change }
}
