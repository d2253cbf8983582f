import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { reportCall, type Figures, type ReportKind } from '@karvon/contract/reports/reports.ts'
import { send, type QueryValue } from '../kit/http.ts'
import { readList, type ListAnswer } from '../kit/list.answer.ts'
import { isAdmin, useSession } from '../kit/session.store.ts'

type ReportQuery = Readonly<Record<string, QueryValue>>

/** A report over everything for an admin, over their own streams for anyone else (the stored role decides). */
export function useReport<Row>(
  kind: ReportKind,
  query: ReportQuery,
  enabled = true,
): UseQueryResult<ListAnswer<Row>> {
  const scope = isAdmin(useSession()) ? 'admin' : 'user'
  return useQuery({
    queryKey: ['report', scope, kind, query],
    queryFn: async ({ signal }) => readList<Row>(await send(reportCall(scope, kind), { query, signal })),
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** The totals over all matching rows; undefined where a host does not answer them. */
export function totalsOf(answer: ListAnswer<unknown> | undefined): Figures | undefined {
  const totals = answer?.meta.totals
  return typeof totals === 'object' && totals !== null ? (totals as Figures) : undefined
}
