import { lazy, Suspense } from 'react'
import type { GroupRow } from '@karvon/contract/reports/reports.ts'
import { ChartCard } from './chart-card.tsx'
import { ReportFrame } from './report-frame.tsx'
import type { ReportNarrowing } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

const TopChart = lazy(async () => ({ default: (await import('./top-chart.tsx')).TopChart }))

const name = { key: 'name', header: texts.name, cell: (row: GroupRow) => row.name }
const nameOf = (row: GroupRow) => row.name
const keyOf = (row: GroupRow) => `${row.id ?? ''} ${row.name}`

const keys = { offers: 'offer_id', streams: 'stream_id' } as const

function groupPage(kind: 'offers' | 'streams') {
  // Id 0 stands for leads without an offer or a stream; a host of the described calls alone names no ids.
  const leadsOf = ({ id }: Partial<GroupRow>) => (id === undefined ? null : { [keys[kind]]: String(id ?? 0) })
  const drawChart = (narrowing: ReportNarrowing) => (
    <Suspense fallback={<ChartCard of="names" />}>
      <TopChart kind={kind} narrowing={narrowing} />
    </Suspense>
  )
  return () => (
    <ReportFrame<GroupRow>
      kind={kind}
      first={name}
      rowKey={keyOf}
      rowLabel={nameOf}
      leadsOf={leadsOf}
      searchable
      chart={drawChart}
    />
  )
}

/** The tab `offers`: leads by offer. */
export const OffersReportPage = groupPage('offers')

/** The tab `streams`: leads by stream. */
export const StreamsReportPage = groupPage('streams')
