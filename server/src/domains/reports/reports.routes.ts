import { reportCall, type ReportScope } from '@karvon/contract/reports/reports.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { ExportRows, allRowsRange, splitItems, type Statement } from '../../platform/exports/exports.rows.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { buildListAnswer, queryOneRow, type ListRow } from '../../resources/lists.answer.ts'
import { readPageRange, type PageQuery, type PageRange } from '../../platform/http/paging.ts'
import { serve } from '../../platform/http/serve.ts'
import {
  buildFiguresStatement,
  buildMoneyStatement,
  buildSourcesStatement,
  type FiguresReport,
  type ReportQuery,
} from './reports.queries.ts'

const figureReports = {
  stats: { groupBy: 'source_id', nameTable: 'cpa_sources', defaultSort: '-leads' },
  daily: { groupBy: 'day', nameTable: null, defaultSort: '-date' },
  offers: { groupBy: 'offer_id', nameTable: 'offers', defaultSort: '-leads' },
  streams: { groupBy: 'stream_id', nameTable: 'streams', defaultSort: '-leads' },
} as const satisfies Record<string, FiguresReport>

interface ReportRow extends ListRow {
  totals?: Record<string, number | null>
  /** Of the leads that the report adds up. */
  currencies: string[]
}

type ReportListQuery = ReportQuery & PageQuery & { format?: string }
type BuildStatement = (query: ReportQuery, range: PageRange, viewer: Identity | null) => Statement

/**
 * A report has its own statements in place of a list declaration: its rows are sums, and it counts and totals them in the
 * same pass.
 */
export function reportsRoutes(app: FastifyInstance, deps: Deps): void {
  const answer = async (build: BuildStatement, query: ReportListQuery, viewer: Identity | null) => {
    if (query.format !== undefined)
      return new ExportRows(deps.pool, splitItems(build(query, allRowsRange, viewer)))
    const range = readPageRange(query)
    const row = await queryOneRow<ReportRow>(deps.pool, build(query, range, viewer))
    const { totals, currencies } = row
    return buildListAnswer(range, row, totals === undefined ? { currencies } : { totals, currencies })
  }
  for (const scope of ['admin', 'user'] as const) {
    const toViewer = (person: Identity) => getViewer(scope, person)
    serve(app, reportCall(scope, 'sources'), ({ query, person }) =>
      answer(buildSourcesStatement, query, toViewer(person)),
    )
    serve(app, reportCall(scope, 'fin'), ({ query, person }) =>
      answer(buildMoneyStatement, query, toViewer(person)),
    )
    for (const [kind, report] of Object.entries(figureReports) as [
      keyof typeof figureReports,
      FiguresReport,
    ][]) {
      const build: BuildStatement = (query, range, viewer) =>
        buildFiguresStatement(report, query, { range, viewer })
      serve(app, reportCall(scope, kind), ({ query, person }) => answer(build, query, toViewer(person)))
    }
  }
}

/** /api/admin reports over all leads. /api/user reports over own leads, also for an admin. */
const getViewer = (scope: ReportScope, person: Identity): Identity | null =>
  scope === 'admin' ? null : person
