import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import {
  getLead,
  getOwnLead,
  listLeadChanges,
  listLeads,
  listOwnLeadChanges,
  listOwnLeads,
  type LeadWithHistory,
} from '@karvon/contract/leads/leads.ts'
import { send } from '../../lib/http.ts'

/** All leads are an admin's; anyone else has those of their own streams. */
export type LeadScope = 'all' | 'own'

export const leadLists = { all: listLeads, own: listOwnLeads } as const
export const leadChanges = { all: listLeadChanges, own: listOwnLeadChanges } as const
const single = { all: getLead, own: getOwnLead } as const

export function useLead(scope: LeadScope, id: string | undefined): UseQueryResult<LeadWithHistory> {
  return useQuery({
    queryKey: ['leads', scope, 'one', id],
    queryFn: ({ signal }) => send(single[scope], { params: { id: id ?? '' }, signal }),
    enabled: id !== undefined,
  })
}
