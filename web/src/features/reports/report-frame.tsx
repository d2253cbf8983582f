import type { Received } from '@karvon/contract/lib/received.ts'
import type { Named } from '@karvon/contract/lib/field.ts'
import type { ReactNode } from 'react'
import type { ReportKind } from '@karvon/contract/reports/reports.ts'
import type { DateRangeValue } from '@karvon/contract/lib/day-ranges.ts'
import { ToolbarItem } from '../../components/display/layout.tsx'
import { Select } from '../../components/fields/select.tsx'
import type { Column } from '../../components/table/column.ts'
import { useList } from '../../lib/list.query.ts'
import { ListToolbar } from '../../resources/list-page.tsx'
import { ListTable } from '../../resources/list-table.tsx'
import { formatSort, useTableState } from '../../lib/table-state.ts'
import { PeriodFilter } from '../../resources/list-filters.tsx'
import { toOptions } from '../../resources/reference-options.ts'
import type { LeadsSearch } from './drill-down.tsx'
import { CurrencyNote, readCurrencies } from './currency-note.tsx'
import { ReportKpis, getPreviousPeriod } from './report-kpis.tsx'
import { useReportColumns } from './report.columns.tsx'
import {
  readTotals,
  useReport,
  useReportInput,
  type ReportFilter,
  type ReceivedFigures,
} from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

const tableSpec = { pageSize: 10, filters: ['source_id', 'from', 'to'] }

type ReportFrameProps<Row> = {
  kind: Extract<ReportKind, 'daily' | 'offers' | 'streams'>
  /** The column that names a row. Keep its identity between renders. */
  nameColumn: Column<Row>
  rowKey: (row: Row) => string
  rowLabel: (row: Row) => string
  /**
   * The filter of a row's leads. Null where the host does not name the id. Keep its identity between renders.
   */
  getLeadsSearch: (row: Row) => LeadsSearch | null
  isSearchable?: boolean
  /** Shown between the totals and the table. */
  renderChart?: (filter: ReportFilter) => ReactNode
}

/** A report: source, period and search, five totals, an optional chart, and the table with its totals row. */
export function ReportFrame<Row extends ReceivedFigures>(props: ReportFrameProps<Row>) {
  const { kind, nameColumn, rowKey, rowLabel, getLeadsSearch, isSearchable = false, renderChart } = props
  const table = useTableState(tableSpec)
  const { page, size, sort, search, filters } = table.state
  const { source_id, from, to } = filters
  const period: DateRangeValue | null = from && to ? { start: from, end: to } : null

  const filter: ReportFilter = {
    search: isSearchable ? search : '',
    source_id,
    start_date: from,
    end_date: to,
  }
  const list = useList<Row>({
    ...useReportInput(kind),
    table,
    query: { page, per_page: size, sort: formatSort(sort), ...filter },
  })
  const { result } = list
  const previousPeriod = period && getPreviousPeriod(period)
  const previousReport = useReport<Row>(
    kind,
    { page: 1, per_page: 1, ...filter, start_date: previousPeriod?.start, end_date: previousPeriod?.end },
    previousPeriod !== null,
  )
  const sources = useReport<Received<Named>>('sources', { page: 1, per_page: 200 })
  const totals = readTotals(result.data)
  const currencies = readCurrencies(result.data?.meta)
  const columns = useReportColumns(nameColumn, { totals, getLeadsSearch, filter })

  return (
    <>
      <ListToolbar
        list={list}
        isSearchable={isSearchable}
        filters={
          <>
            <ToolbarItem width={180}>
              <Select
                label={texts.source}
                hideLabel
                emptyOption={texts.allSources}
                options={toOptions(sources.data?.items)}
                value={source_id ?? ''}
                onChange={(value) => table.change({ filters: { source_id: value } })}
              />
            </ToolbarItem>
            <PeriodFilter table={table} width={270} />
          </>
        }
        columns={columns}
        exportName={`${kind}-report`}
      />
      {(result.isPending || totals !== undefined) && (
        <ReportKpis
          totals={totals}
          currencies={currencies}
          previousTotals={
            previousPeriod && !previousReport.isPlaceholderData ? readTotals(previousReport.data) : undefined
          }
        />
      )}
      <CurrencyNote currencies={currencies} isOneSource={Boolean(source_id)} />
      {renderChart?.(filter)}
      <ListTable
        label={texts.tables[kind]}
        list={list}
        columns={columns}
        rowKey={rowKey}
        rowLabel={rowLabel}
        scrollX
        failedText={texts.failed[kind]}
      />
    </>
  )
}
