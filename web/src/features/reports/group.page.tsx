import { lazy, Suspense } from 'react'
import { ChartCard } from './chart-card.tsx'
import { ReportFrame } from './report-frame.tsx'
import type { ReportNarrowing, ReceivedGroupRow } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

const TopChart = lazy(async () => ({ default: (await import('./top-chart.tsx')).TopChart }))

type Row = ReceivedGroupRow

const nameOf = (row: Row) => row.name ?? texts.none
const name = { key: 'name', header: texts.name, cell: nameOf }
// Names repeat between sources; a host of the described calls alone has nothing else to tell two rows apart by.
const keyOf = (row: Row) => (row.id === undefined ? JSON.stringify(row) : `${row.id} ${row.name}`)

const keys = { offers: 'offer_id', streams: 'stream_id' } as const

function groupPage(kind: 'offers' | 'streams') {
  // Id 0 stands for leads without an offer or a stream; a host of the described calls alone names no ids.
  const leadsOf = ({ id }: Row) => (id === undefined ? null : { [keys[kind]]: String(id ?? 0) })
  const drawChart = (narrowing: ReportNarrowing) => (
    <Suspense fallback={<ChartCard of="names" />}>
      <TopChart kind={kind} narrowing={narrowing} />
    </Suspense>
  )
  return () => (
    <ReportFrame<ReceivedGroupRow>
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
