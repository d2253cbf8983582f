import type { Call } from '@karvon/contract/lib/call.ts'
import type { Named } from '@karvon/contract/lib/field.ts'
import { maxSearch } from '@karvon/contract/lib/limits.ts'
import type { Received } from '@karvon/contract/lib/received.ts'
import { referenceCalls } from '@karvon/contract/lib/resource-calls.ts'
import { listLeads, type Lead } from '@karvon/contract/leads/leads.ts'
import { parseViewAddress } from '@karvon/contract/saved-views/address.ts'
import { listSavedViews } from '@karvon/contract/saved-views/saved-views.list.ts'
import { searchParcels } from '@karvon/contract/parcels/parcels.ts'
import { getParcelKey, type ReceivedParcel } from '../features/parcels/parcel.received.ts'
import { missingValue } from '../lib/format/missing.ts'
import { send } from '../lib/http.ts'
import { readList } from '../lib/list.result.ts'
import type { ListSearch } from '../lib/table-state.ts'
import { appTexts } from './app.texts.ts'

/** One line of the finder, and the page that it opens. */
export interface FinderResult {
  readonly key: string
  readonly label: string
  readonly note: string
  readonly to: string
  readonly search: ListSearch
}

/** One kind of rows that the finder searches. */
export interface FinderSource {
  readonly name: string
  /** What the host must announce. */
  readonly feature?: Call['feature']
  readonly find: (text: string, signal: AbortSignal) => Promise<FinderResult[]>
}

/** The number of results of one source. */
const maxResults = 5

/** Whether a text is long enough, and short enough, to ask the server for it. */
export const isSearchable = (text: string): boolean => text.length > 1 && text.length <= maxSearch

/** Parcels by order number, barcode or receiver. */
const parcelSource: FinderSource = {
  name: 'parcels',
  find: async (text, signal) => {
    const query = { search: text, page: 1, limit: maxResults }
    const answer = await send(searchParcels, { query, signal })
    return readList<ReceivedParcel>(answer, { page: 1, size: maxResults }).items.map((row) => ({
      key: `parcel ${getParcelKey(row)}`,
      label: row.orderno ?? missingValue,
      note: [row.receiver?.person, row.receiver?.town].filter(Boolean).join(', '),
      to: '/parcels',
      search: { period: 'any', search: row.orderno ?? '', id: getParcelKey(row) },
    }))
  },
}

/** Leads by their external id. */
const leadSource: FinderSource = {
  name: 'leads',
  feature: 'leads',
  find: async (text, signal) => {
    const query = { search: text, page: 1, per_page: maxResults }
    return readList<Received<Lead>>(await send(listLeads, { query, signal })).items.map((row) => ({
      key: `lead ${row.id}`,
      label: row.external_id ?? `#${row.id}`,
      note: [appTexts.titles.leads, row.source?.name, row.offer?.name].filter(Boolean).join(', '),
      to: '/leads',
      search: { search: row.external_id ?? '', id: String(row.id) },
    }))
  },
}

/** Saved views by their name. */
const savedViewSource: FinderSource = {
  name: 'saved-views',
  feature: 'saved_views',
  find: async (text, signal) => {
    const query = { search: text, page: 1, per_page: maxResults }
    const { items } = await send(listSavedViews, { query, signal })
    return items.map(({ id, name, address }) => {
      const { path, search } = parseViewAddress(address)
      return {
        key: `saved view ${id}`,
        label: name,
        note: appTexts.savedView,
        to: path,
        search: { ...search, view_id: String(id) },
      }
    })
  },
}

/** The rows of a resource by name, or by id where the text is a number. */
function createResourceSource(name: string, note: string, to: string): FinderSource {
  const { list } = referenceCalls(name)
  const load = async (query: ListSearch, signal: AbortSignal) => {
    const answer = await send(list, { query: { page: 1, per_page: maxResults, ...query }, signal })
    return readList<Received<Named>>(answer, { page: 1, size: maxResults }).items
  }
  return {
    name,
    find: async (text, signal) => {
      const [byId, byName] = await Promise.all([
        /^\d{1,15}$/.test(text) ? load({ id: text }, signal) : [],
        load({ sort: 'name', search: text }, signal),
      ])
      const rows = new Map([...byId, ...byName].map((row) => [row.id, row]))
      return [...rows.values()].slice(0, maxResults).map((row) => ({
        key: `${name} ${row.id}`,
        label: row.name ?? `#${row.id}`,
        note: `${note} #${row.id}`,
        to,
        search: { search: row.name ?? '' },
      }))
    },
  }
}

const { titles, tabs } = appTexts

/** What the finder searches for people who are not admins. */
export const personSources: readonly FinderSource[] = [savedViewSource, parcelSource]

/** What the finder searches for admins. */
export const adminSources: readonly FinderSource[] = [
  savedViewSource,
  parcelSource,
  leadSource,
  createResourceSource('offers', titles.offers, '/offers'),
  createResourceSource('streams', titles.streams, '/streams'),
  createResourceSource('users', titles.users, '/users'),
  createResourceSource('cpa-sources', tabs.sources, '/settings/cpa-websites'),
]
