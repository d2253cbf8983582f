import { missingValue } from '../../lib/format/missing.ts'
import { lazy } from 'react'
import { LazyPart } from '../../components/lazy-part.tsx'
import { formatDay } from '../../lib/format/day.format.ts'
import { ChartCard } from './chart-card.tsx'
import { ReportFrame } from './report-frame.tsx'
import type { ReportFilter, ReceivedDailyRow } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

const DailyChart = lazy(async () => ({ default: (await import('./daily-chart.tsx')).DailyChart }))

type Row = ReceivedDailyRow

const dateColumn = { key: 'date', header: texts.date, cell: (row: Row) => formatDay(row.date), nowrap: true }
const getRowKey = (row: Row) => row.date ?? JSON.stringify(row)
const getRowLabel = (row: Row) => row.date ?? missingValue

const getLeadsSearch = ({ date }: Row) => (date ? { from: date, to: date } : null)

const renderChart = (filter: ReportFilter) => (
  <LazyPart fallback={<ChartCard kind="days" />}>
    <DailyChart filter={filter} />
  </LazyPart>
)

/** The tab `daily`: leads by the day of their creation. */
export function DailyReportPage() {
  return (
    <ReportFrame<ReceivedDailyRow>
      kind="daily"
      nameColumn={dateColumn}
      rowKey={getRowKey}
      rowLabel={getRowLabel}
      getLeadsSearch={getLeadsSearch}
      renderChart={renderChart}
    />
  )
}
