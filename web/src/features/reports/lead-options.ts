import type { Named } from '@karvon/contract/lib/field.ts'
import type { Received } from '@karvon/contract/lib/received.ts'
import { send } from '../../lib/http.ts'
import { readList } from '../../lib/list.result.ts'
import { resourceOptions, type OptionSource } from '../../resources/reference-options.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** The options of the filters of leads, for admins or for other people. */
export interface LeadOptionSources {
  readonly sources: OptionSource
  readonly offers: OptionSource
  readonly streams: OptionSource
}

/** The sources, offers or streams of the person's leads, as the person's reports list them. */
const ownLeadOptions = (kind: 'sources' | 'offers' | 'streams'): OptionSource => ({
  key: queryKeys.reportOptions('user', kind),
  search: async (search, signal) => {
    // An admin's list of leads has no use for it.
    const { reportCall } = await import('@karvon/contract/reports/reports.ts')
    const query = { page: 1, per_page: 200, sort: 'name', search }
    const answer = readList<Received<Named>>(
      await send(reportCall('user', kind), { query, ...(signal && { signal }) }),
    )
    return { ...answer, items: answer.items.filter(({ id }) => typeof id === 'number') }
  },
})

export const allLeadOptions: LeadOptionSources = {
  sources: resourceOptions('cpa-sources'),
  offers: resourceOptions('offers'),
  streams: resourceOptions('streams'),
}

export const ownLeadOptionSources: LeadOptionSources = {
  sources: ownLeadOptions('sources'),
  offers: ownLeadOptions('offers'),
  streams: ownLeadOptions('streams'),
}
