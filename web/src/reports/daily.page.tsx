import { lazy, Suspense } from 'react'
import type { DailyRow } from '@karvon/contract/reports/reports.ts'
import { formatDay } from '../ui/format/day.format.ts'
import { ChartCard } from './chart-card.tsx'
import { ReportFrame } from './report-frame.tsx'
import type { ReportNarrowing } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

const DailyChart = lazy(async () => ({ default: (await import('./daily-chart.tsx')).DailyChart }))

const date = { key: 'date', header: texts.date, cell: (row: DailyRow) => formatDay(row.date), nowrap: true }
const dateOf = (row: DailyRow) => row.date

const leadsOf = ({ date }: DailyRow) => ({ from: date, to: date })

const drawChart = (narrowing: ReportNarrowing) => (
  <Suspense fallback={<ChartCard of="days" />}>
    <DailyChart narrowing={narrowing} />
  </Suspense>
)

/** The tab `daily`: leads by the day they were made. */
export function DailyReportPage() {
  return (
    <ReportFrame<DailyRow>
      kind="daily"
      first={date}
      rowKey={dateOf}
      rowLabel={dateOf}
      leadsOf={leadsOf}
      chart={drawChart}
    />
  )
}
