import type { GroupRow } from '@karvon/contract/reports/reports.ts'
import { ReportFrame } from './report-frame.tsx'
import { reportTexts as texts } from './reports.texts.ts'

const name = { key: 'name', header: texts.name, cell: (row: GroupRow) => row.name }
const nameOf = (row: GroupRow) => row.name
const keyOf = (row: GroupRow) => `${row.id ?? ''} ${row.name}`

const shared = { first: name, rowKey: keyOf, rowLabel: nameOf, searchable: true }

/** The tab `offers`: leads by offer. */
export function OffersReportPage() {
  return <ReportFrame<GroupRow> kind="offers" {...shared} />
}

/** The tab `streams`: leads by stream. */
export function StreamsReportPage() {
  return <ReportFrame<GroupRow> kind="streams" {...shared} />
}
