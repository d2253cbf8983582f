import { useMemo, type ReactNode } from 'react'
import type { Column } from '../../components/table/column.ts'
import { useFeature, useFeatureSpace } from '../../lib/settings.store.ts'
import { useLeadsLink, type RenderLeadsLink, type LeadsSearch } from './drill-down.tsx'
import { formatFigure } from '../../lib/format/money.format.ts'
import { formatRate } from '../../lib/format/number.format.ts'
import type { ReportFilter, ReceivedFigures } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

type FigureKey = keyof typeof texts.figures

const allKeys = Object.keys(texts.figures) as FigureKey[]
/** Figures beyond the specification. */
const rateKeys: ReadonlySet<FigureKey> = new Set(['hold_amount', 'approve_rate', 'buyout_rate'])
const isRate = (key: FigureKey) => key === 'approve_rate' || key === 'buyout_rate'

const formatReportFigure = (key: FigureKey, row: ReceivedFigures): string =>
  isRate(key) ? formatRate(row[key], 0) : formatFigure(row[key])

/** The filter of the leads that a figure counts. Null for a rate, which counts no leads. */
function getFigureSearch(key: FigureKey): LeadsSearch | null {
  if (isRate(key)) return null
  if (key === 'leads') return {}
  if (key === 'profit') return { column: 'sold' }
  return { column: key === 'hold_amount' ? 'hold' : key }
}

interface DrillDown<Row> {
  readonly getLeadsSearch: (row: Row) => LeadsSearch | null
  /** The filter of the leads of all rows. Null where the list of leads has no such filter. */
  readonly totalSearch: LeadsSearch | null
  readonly renderLink: RenderLeadsLink
}

function createColumns<Row extends ReceivedFigures>(
  nameColumn: Column<Row>,
  {
    keys,
    totals,
    drillDown,
  }: { keys: readonly FigureKey[]; totals: ReceivedFigures | undefined; drillDown: DrillDown<Row> },
): Column<Row>[] {
  const renderFigure = (key: FigureKey, row: ReceivedFigures, leads: LeadsSearch | null): ReactNode => {
    const text = formatReportFigure(key, row)
    const figureSearch = getFigureSearch(key)
    return leads && figureSearch && row[key]
      ? drillDown.renderLink(text, { ...leads, ...figureSearch })
      : text
  }
  return [
    { ...nameColumn, sortable: true, ...(totals && { total: texts.total }) },
    ...keys.map((key): Column<Row> => ({
      key,
      header: texts.figures[key],
      cell: (row) => renderFigure(key, row, drillDown.getLeadsSearch(row)),
      align: 'end',
      sortable: true,
      phone: 'line',
      ...(totals && { total: renderFigure(key, totals, drillDown.totalSearch) }),
    })),
  ]
}

interface ReportColumns<Row> {
  readonly totals: ReceivedFigures | undefined
  /** The filter of a row's leads, or null where the host does not name the row's id. */
  readonly getLeadsSearch: (row: Row) => LeadsSearch | null
  readonly filter: ReportFilter
}

/** The name column and the figure columns of a report, with the totals row. Each figure links to its leads. */
export function useReportColumns<Row extends ReceivedFigures>(
  nameColumn: Column<Row>,
  { totals, getLeadsSearch, filter }: ReportColumns<Row>,
): Column<Row>[] {
  const { search, source_id, start_date, end_date } = filter
  const renderLink = useLeadsLink()
  const hasLeads = useFeature('leads')
  const hasRates = useFeatureSpace('report_rates')
  return useMemo(() => {
    const baseSearch = { source_id, from: start_date, to: end_date }
    const keys = hasRates ? allKeys : allKeys.filter((key) => !rateKeys.has(key))
    const drillDown = {
      renderLink,
      getLeadsSearch: (row: Row) => {
        const rowSearch = hasLeads ? getLeadsSearch(row) : null
        return rowSearch && { ...baseSearch, ...rowSearch }
      },
      // The list of leads cannot filter by the names of offers or streams.
      totalSearch: hasLeads && search === '' ? baseSearch : null,
    }
    return createColumns(nameColumn, { keys, totals, drillDown })
  }, [
    nameColumn,
    totals,
    renderLink,
    hasLeads,
    hasRates,
    getLeadsSearch,
    search,
    source_id,
    start_date,
    end_date,
  ])
}
