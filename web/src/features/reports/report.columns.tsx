import { useMemo, type ReactNode } from 'react'
import type { Column } from '../../components/table/column.ts'
import { useFeature } from '../../lib/settings.store.ts'
import { useLeadsLink, type LeadsLink, type LeadsSearch } from './drill-down.tsx'
import { formatFigure, formatRate } from './report.format.ts'
import type { ReportNarrowing, ReceivedFigures } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

type FigureKey = keyof typeof texts.figures

const allKeys = Object.keys(texts.figures) as FigureKey[]
/** Beyond the figures of the specification. */
const rateKeys: ReadonlySet<FigureKey> = new Set(['hold_amount', 'approve_rate', 'buyout_rate'])
const isRate = (key: FigureKey) => key === 'approve_rate' || key === 'buyout_rate'

const figure = (key: FigureKey, row: ReceivedFigures): string =>
  isRate(key) ? formatRate(row[key], 0) : formatFigure(row[key])

/** What narrows the leads to those that a figure counts; null where it counts no leads of one state. */
function narrowing(key: FigureKey): LeadsSearch | null {
  if (isRate(key)) return null
  if (key === 'leads') return {}
  if (key === 'profit') return { column: 'sold' }
  return { column: key === 'hold_amount' ? 'hold' : key }
}

interface DrillDown<Row> {
  readonly leadsOf: (row: Row) => LeadsSearch | null
  /** The leads of all rows; null where the list of leads cannot be narrowed to them. */
  readonly leadsOfAll: LeadsSearch | null
  readonly link: LeadsLink
}

function columnsOf<Row extends ReceivedFigures>(
  first: Column<Row>,
  totals: ReceivedFigures | undefined,
  drill: DrillDown<Row>,
  keys: readonly FigureKey[],
): Column<Row>[] {
  const linked = (key: FigureKey, row: ReceivedFigures, leads: LeadsSearch | null): ReactNode => {
    const said = figure(key, row)
    const of = narrowing(key)
    return leads && of && row[key] ? drill.link(said, { ...leads, ...of }) : said
  }
  return [
    { ...first, sortable: true, ...(totals && { total: texts.total }) },
    ...keys.map((key): Column<Row> => ({
      key,
      header: texts.figures[key],
      cell: (row) => linked(key, row, drill.leadsOf(row)),
      align: 'end',
      sortable: true,
      phone: 'line',
      ...(totals && { total: linked(key, totals, drill.leadsOfAll) }),
    })),
  ]
}

/**
 * The first column, then the figures of every report, each a way to the leads behind it; the totals row below
 * them. `leadsOf` narrows the leads to a row's, null where the host does not say which they are.
 */
export function useReportColumns<Row extends ReceivedFigures>(
  first: Column<Row>,
  totals: ReceivedFigures | undefined,
  leadsOf: (row: Row) => LeadsSearch | null,
  { search, source_id, start_date, end_date }: ReportNarrowing,
): Column<Row>[] {
  const link = useLeadsLink()
  const hasLeads = useFeature('leads')
  const hasRates = useFeature('report_rates')
  return useMemo(() => {
    const all = { source_id, from: start_date, to: end_date }
    const keys = hasRates ? allKeys : allKeys.filter((key) => !rateKeys.has(key))
    const drill = {
      link,
      leadsOf: (row: Row) => {
        const own = hasLeads ? leadsOf(row) : null
        return own && { ...all, ...own }
      },
      // A search is in the names of the rows, which no filter of leads repeats.
      leadsOfAll: hasLeads && search === '' ? all : null,
    }
    return columnsOf(first, totals, drill, keys)
  }, [first, totals, link, hasLeads, hasRates, leadsOf, search, source_id, start_date, end_date])
}
