import { lazy, Suspense } from 'react'
import { formatDay } from '../../lib/format/day.format.ts'
import { ChartCard } from './chart-card.tsx'
import { ReportFrame } from './report-frame.tsx'
import type { ReportNarrowing, ReceivedDailyRow } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

const DailyChart = lazy(async () => ({ default: (await import('./daily-chart.tsx')).DailyChart }))

type Row = ReceivedDailyRow

const date = { key: 'date', header: texts.date, cell: (row: Row) => formatDay(row.date), nowrap: true }
const keyOf = (row: Row) => row.date ?? JSON.stringify(row)
const labelOf = (row: Row) => row.date ?? texts.none

const leadsOf = ({ date }: Row) => (date ? { from: date, to: date } : null)

const drawChart = (narrowing: ReportNarrowing) => (
  <Suspense fallback={<ChartCard of="days" />}>
    <DailyChart narrowing={narrowing} />
  </Suspense>
)

/** The tab `daily`: leads by the day they were made. */
export function DailyReportPage() {
  return (
    <ReportFrame<ReceivedDailyRow>
      kind="daily"
      first={date}
      rowKey={keyOf}
      rowLabel={labelOf}
      leadsOf={leadsOf}
      chart={drawChart}
    />
  )
}
