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
import { queryKeys } from '../../lib/query-keys.ts'

/** 'all': all leads, for admins. 'own': the leads of the person's streams. */
export type LeadScope = 'all' | 'own'

export const listLeadsCalls = { all: listLeads, own: listOwnLeads } as const
export const listLeadChangesCalls = { all: listLeadChanges, own: listOwnLeadChanges } as const
const getLeadCalls = { all: getLead, own: getOwnLead } as const

export function useLead(scope: LeadScope, id: string | undefined): UseQueryResult<LeadWithHistory> {
  return useQuery({
    queryKey: queryKeys.lead(scope, id),
    queryFn: ({ signal }) => send(getLeadCalls[scope], { params: { id: id ?? '' }, signal }),
    enabled: id !== undefined,
  })
}
