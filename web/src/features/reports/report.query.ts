import type { UseQueryResult } from '@tanstack/react-query'
import type { Received } from '@karvon/contract/lib/received.ts'
import {
  reportCall,
  type DailyRow,
  type Figures,
  type FinRow,
  type OfferOrStreamRow,
  type ReportKind,
  type ReportScope,
} from '@karvon/contract/reports/reports.ts'
import type { QueryValue } from '../../lib/http.ts'
import type { ListResult } from '../../lib/list.result.ts'
import { getRefetchInterval, useListPage } from '../../lib/list.query.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Rows as any host answers them: any part can be missing. */
export type ReceivedFigures = Received<Figures>
export type ReceivedDailyRow = Received<DailyRow>
export type ReceivedOfferOrStreamRow = Received<OfferOrStreamRow>
export type ReceivedFinRow = Received<FinRow>

type ReportQuery = Readonly<Record<string, QueryValue>> & { page: number; per_page: number }

/** The filters of a report, as on the wire. */
export interface ReportFilter {
  /** Empty where the report has no search. */
  readonly search: string
  readonly source_id: string | undefined
  readonly start_date: string | undefined
  readonly end_date: string | undefined
}

/** 'admin': reports over everything. 'user': reports over the person's streams. The stored role decides. */
const useReportScope = (): ReportScope => (isAdmin(useSession()) ? 'admin' : 'user')

/** A page of a report in the caller's own scope. `Row` is one of the received row types. */
export function useReport<Row>(
  kind: ReportKind,
  query: ReportQuery,
  isEnabled = true,
): UseQueryResult<ListResult<Row>> {
  const report = useReportInput(kind)
  return useListPage({
    ...report,
    query,
    page: { page: query.page, size: query.per_page },
    enabled: isEnabled,
  })
}

/** What the lists of a report have in common: the call in the caller's own scope, its cache key and its reloads. */
export function useReportInput(kind: ReportKind) {
  const scope = useReportScope()
  return {
    key: queryKeys.report(scope, kind),
    call: reportCall(scope, kind),
    refetchInterval: getRefetchInterval,
  }
}

/** The totals over all matching rows. Undefined where a host does not answer them. */
export function readTotals(answer: ListResult<unknown> | undefined): ReceivedFigures | undefined {
  const totals = answer?.meta.totals
  return typeof totals === 'object' && totals !== null ? totals : undefined
}
