import type { Named } from '@karvon/contract/lib/field.ts'
import type { Received } from '@karvon/contract/lib/received.ts'
import { reportCall } from '@karvon/contract/reports/reports.ts'
import { send } from '../../lib/http.ts'
import { readList } from '../../lib/list.answer.ts'
import { resourceNames, type Names } from '../../resources/names.ts'

/** What leads are filtered by, as each kind of reader may ask for it. */
export interface LeadNames {
  readonly sources: Names
  readonly offers: Names
  readonly streams: Names
}

/** What a person's own leads are of, as their reports name it. */
const own = (kind: 'sources' | 'offers' | 'streams'): Names => ({
  key: ['report', 'user', kind, 'names'],
  find: async (search, signal) => {
    const query = { page: 1, per_page: 200, sort: 'name', search }
    const answer = readList<Received<Named>>(
      await send(reportCall('user', kind), { query, ...(signal && { signal }) }),
    )
    return {
      ...answer,
      items: answer.items.filter(({ id }) => typeof id === 'number'),
      total: answer.filtered,
    }
  },
})

export const allLeadNames: LeadNames = {
  sources: resourceNames('cpa-sources'),
  offers: resourceNames('offers'),
  streams: resourceNames('streams'),
}

export const ownLeadNames: LeadNames = {
  sources: own('sources'),
  offers: own('offers'),
  streams: own('streams'),
}
