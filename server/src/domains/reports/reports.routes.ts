import { reportCall, type ReportScope } from '@karvon/contract/reports/reports.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { AllRows, everyRow, itemsOf } from '../../platform/exports/exports.rows.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { listAnswer, oneRow, type ListRow } from '../../resources/lists.answer.ts'
import { pageAsked, type Asked } from '../../platform/http/paging.ts'
import { serve } from '../../platform/http/serve.ts'
import {
  figuresText,
  finText,
  sourcesText,
  type FiguresReport,
  type ReportQuery,
  type Statement,
} from './reports.queries.ts'

const figures = {
  stats: { key: 'source_id', names: 'cpa_sources', usual: '-leads' },
  daily: { key: 'day', names: null, usual: '-date' },
  offers: { key: 'offer_id', names: 'offers', usual: '-leads' },
  streams: { key: 'stream_id', names: 'streams', usual: '-leads' },
} as const satisfies Record<string, FiguresReport>

interface ReportRow extends ListRow {
  totals?: Record<string, number | null>
}

type Build = (query: ReportQuery, asked: Asked, person: Identity | null) => Statement

export function reportsRoutes(app: FastifyInstance, deps: Deps): void {
  const answer = async (build: Build, given: Record<string, unknown>, person: Identity | null) => {
    const query = given as ReportQuery
    checkPeriod(query)
    if (given.format !== undefined) return new AllRows(deps.pool, itemsOf(build(query, everyRow, person)))
    const asked = pageAsked(given)
    const { text, values } = build(query, asked, person)
    const row = await oneRow<ReportRow>(deps.pool, text, values)
    return listAnswer(asked, row, row.totals && { totals: row.totals })
  }
  for (const scope of ['admin', 'user'] as const) {
    const of = (person: Identity) => whose(scope, person)
    serve(app, reportCall(scope, 'sources'), ({ query, person }) => answer(sourcesText, query, of(person)))
    serve(app, reportCall(scope, 'fin'), ({ query, person }) => answer(finText, query, of(person)))
    for (const [kind, report] of Object.entries(figures) as [keyof typeof figures, FiguresReport][]) {
      const build: Build = (...asked) => figuresText(report, ...asked)
      serve(app, reportCall(scope, kind), ({ query, person }) => answer(build, query, of(person)))
    }
  }
}

/** An admin's report is over everything; under /api/user even an admin sees only what is their own. */
const whose = (scope: ReportScope, person: Identity): Identity | null => (scope === 'admin' ? null : person)

function checkPeriod({ start_date, end_date }: ReportQuery): void {
  if (start_date !== undefined && end_date !== undefined && start_date > end_date) {
    throw invalid([{ field: 'start_date', message: 'start_date lies after end_date' }])
  }
}
