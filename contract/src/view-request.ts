import { explorePath } from './explore/explore.address.ts'
import type { Call } from './lib/call.ts'
import { getPresetRanges, isPresetName } from './lib/day-ranges.ts'
import { anyValue } from './lib/page.ts'
import { readParcelAddress } from './parcels/parcels.address.ts'
import { getViewScreen, parseViewAddress } from './saved-views/address.ts'
import { viewScreens, type ViewScreen } from './view-screens.ts'

type Values = Readonly<Record<string, string | number | undefined>>

/** The call that a screen makes for its list, with the filters and the order of its address and without a page. */
export interface ListRequest {
  readonly call: Call
  readonly query: Readonly<Record<string, string | number>>
  /** The columns of the export that a message shows. */
  readonly columns: readonly string[]
}

/** Finds the screen of an address and its call for a person. Null if the person has no list there that can be sent. */
export function findViewList(address: string, isAdmin: boolean): { screen: ViewScreen; call: Call } | null {
  const name = getViewScreen(address)
  const screen = Object.hasOwn(viewScreens, name) ? viewScreens[name] : undefined
  const call = isAdmin ? screen?.admin : screen?.person
  if (screen === undefined || call === undefined) return null
  const { search } = parseViewAddress(address)
  return screen.unsendable?.some((key) => key in search) === true ? null : { screen, call }
}

/** Whether a view of an address can be sent to a person: of Explore, or of a list. */
export const isSendable = (address: string, isAdmin: boolean): boolean =>
  getViewScreen(address) === explorePath || findViewList(address, isAdmin) !== null

/** Reads an address as the screen reads it on the day `today`. Null as in {@link findViewList}. */
export function readListRequest(
  address: string,
  { isAdmin, today }: { isAdmin: boolean; today: string },
): ListRequest | null {
  const viewList = findViewList(address, isAdmin)
  if (viewList === null) return null
  const { call, screen } = viewList
  const { path, search } = parseViewAddress(address)
  const { sort, search: text, ...values } = readPreset(search, today)
  const query = path === '/parcels' ? readParcels(values, today) : readFilters(values, screen)
  const allParams = Object.entries({ ...query, sort, [screen.searchKey ?? 'search']: text })
  const names = getFilterNames(call)
  const entries = allParams.filter(([key, value]) => value !== undefined && names.has(key))
  return { call, query: Object.fromEntries(entries) as ListRequest['query'], columns: screen.columns }
}

const pageKeys = ['page', 'per_page', 'limit', 'skip', 'format']

/** The parameters that the call declares, without those of a page and of a file. */
function getFilterNames({ query }: Call): ReadonlySet<string> {
  const { properties = {} } = (query ?? {}) as { properties?: object }
  return new Set(Object.keys(properties).filter((key) => !pageKeys.includes(key)))
}

/** The days of a period that moves with today. */
function readPreset(search: Record<string, string>, today: string): Record<string, string> {
  const { period, from } = search
  if (from !== undefined || !isPresetName(period)) return search
  const { start, end } = getPresetRanges(today)[period]
  return { ...search, from: start, to: end }
}

const readParcels = (values: Values, today: string): Values =>
  readParcelAddress(values as Record<string, string>, { today, hasProblems: true, hasPayments: true }).query

function readFilters({ from, to, ...values }: Values, { defaults = {} }: ViewScreen): Values {
  const filters = Object.entries({ ...defaults, ...values })
  const chosenFilters = filters.filter(([key, value]) => value !== anyValue || !(key in defaults))
  return { ...Object.fromEntries(chosenFilters), start_date: from, end_date: to }
}
