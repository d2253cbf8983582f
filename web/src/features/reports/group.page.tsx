import { missingValue } from '../../lib/format/missing.ts'
import { lazy } from 'react'
import { LazyPart } from '../../components/lazy-part.tsx'
import { TwoLines } from '../../components/display/layout.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { ChartCard } from './chart-card.tsx'
import { ReportFrame } from './report-frame.tsx'
import type { ReportFilter, ReceivedOfferOrStreamRow } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

const TopChart = lazy(async () => ({ default: (await import('./top-chart.tsx')).TopChart }))

type Row = ReceivedOfferOrStreamRow

const getName = (row: Row) => row.name ?? missingValue
const nameColumn = {
  key: 'name',
  header: texts.name,
  cell: (row: Row) => {
    const name = <TruncatedText text={getName(row)} />
    return row.source ? <TwoLines first={name} second={row.source.name} /> : name
  },
}
// Names can repeat between sources. A host that implements only the specification has no ids in reports.
const getRowKey = (row: Row) => (row.id === undefined ? JSON.stringify(row) : `${row.id} ${row.name}`)

const leadFilterKeys = { offers: 'offer_id', streams: 'stream_id' } as const

function createGroupPage(kind: 'offers' | 'streams') {
  // Id 0 means leads without an offer or a stream. A host that implements only the specification names no
  // ids.
  const getLeadsSearch = ({ id }: Row) =>
    id === undefined ? null : { [leadFilterKeys[kind]]: String(id ?? 0) }
  const renderChart = (filter: ReportFilter) => (
    <LazyPart fallback={<ChartCard kind="names" />}>
      <TopChart kind={kind} filter={filter} />
    </LazyPart>
  )
  return () => (
    <ReportFrame<ReceivedOfferOrStreamRow>
      kind={kind}
      nameColumn={nameColumn}
      rowKey={getRowKey}
      rowLabel={getName}
      getLeadsSearch={getLeadsSearch}
      isSearchable
      renderChart={renderChart}
    />
  )
}

/** The tab `offers`: leads by offer. */
export const OffersReportPage = createGroupPage('offers')

/** The tab `streams`: leads by stream. */
export const StreamsReportPage = createGroupPage('streams')
