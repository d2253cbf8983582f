import type { Received } from '@karvon/contract/lib/received.ts'
import type { Named } from '@karvon/contract/lib/field.ts'
import type { ReactNode } from 'react'
import { reportCall, type ReportKind } from '@karvon/contract/reports/reports.ts'
import { DateRange } from '../../components/date-range/date-range.tsx'
import type { DateRangeValue } from '../../lib/format/date-range.rules.ts'
import { Toolbar, ToolbarItem } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { Select } from '../../components/fields/select.tsx'
import { defaultTexts, UiTextsContext } from '../../components/texts.ts'
import type { Column } from '../../components/table/column.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { filterTexts } from '../../resources/list-filters.texts.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { todayIn } from '../../lib/format/moment.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { sortText, useTableState } from '../../lib/table-state.ts'
import { optionsOf } from '../../resources/references.ts'
import type { LeadsSearch } from './drill-down.tsx'
import { ReportKpis, periodBefore } from './report-kpis.tsx'
import { useReportColumns } from './report.columns.tsx'
import {
  totalsOf,
  useReport,
  useReportScope,
  type ReportNarrowing,
  type ReceivedFigures,
} from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

const spec = { pageSize: 10, filters: ['source_id', 'from', 'to'] }
const widgetTexts = { ...defaultTexts, chooseDates: filterTexts.anyPeriod }

type ReportFrameProps<Row> = {
  kind: Extract<ReportKind, 'daily' | 'offers' | 'streams'>
  /** The column that names a row; keep its identity between renders. */
  first: Column<Row>
  rowKey: (row: Row) => string
  rowLabel: (row: Row) => string
  /** What narrows the list of leads to a row's; null where the host does not say. Keep its identity, too. */
  leadsOf: (row: Row) => LeadsSearch | null
  searchable?: boolean
  /** Between the totals and the table. */
  chart?: (narrowing: ReportNarrowing) => ReactNode
}

/** A report: source, period and search, five totals, an optional chart, and the table with its totals row. */
export function ReportFrame<Row extends ReceivedFigures>(props: ReportFrameProps<Row>) {
  const { kind, first, rowKey, rowLabel, leadsOf, searchable = false, chart } = props
  const table = useTableState(spec)
  const scope = useReportScope()
  const today = todayIn(useSettings().time_zone)
  const { page, size, sort, search, filters } = table.state
  const { source_id, from, to } = filters
  const period: DateRangeValue | null = from && to ? { start: from, end: to } : null

  const narrowing: ReportNarrowing = {
    search: searchable ? search : '',
    source_id,
    start_date: period?.start,
    end_date: period?.end,
  }
  const wanted = { sort: sortText(sort), ...narrowing }
  const query = useReport<Row>(kind, { page, per_page: size, ...wanted })
  const last = period && periodBefore(period)
  const before = useReport<Row>(
    kind,
    { page: 1, per_page: 1, ...narrowing, start_date: last?.start, end_date: last?.end },
    last !== null,
  )
  const sources = useReport<Received<Named>>('sources', { page: 1, per_page: 200 })
  const totals = totalsOf(query.data)
  const columns = useReportColumns(first, totals, leadsOf, narrowing)

  return (
    <UiTextsContext value={widgetTexts}>
      <Toolbar actions={<ExportMenu call={reportCall(scope, kind)} query={wanted} name={`${kind}-report`} />}>
        {searchable && <SearchBox value={search} onSearch={(wanted) => table.change({ search: wanted })} />}
        <ToolbarItem width={180}>
          <Select
            label={texts.source}
            hideLabel
            emptyOption={texts.allSources}
            options={optionsOf(sources.data?.items)}
            value={source_id ?? ''}
            onChange={(value) => table.change({ filters: { source_id: value } })}
          />
        </ToolbarItem>
        <ToolbarItem width={270}>
          <DateRange
            value={period}
            onChange={(value) => table.change({ filters: { from: value?.start, to: value?.end } })}
            today={today}
            clearable
          />
        </ToolbarItem>
      </Toolbar>
      {(query.isPending || totals !== undefined) && !query.isError && (
        <ReportKpis
          totals={totals}
          before={last && !before.isPlaceholderData ? totalsOf(before.data) : undefined}
        />
      )}
      {chart?.(narrowing)}
      <ListTable
        label={texts.tables[kind]}
        table={table}
        query={query}
        columns={columns}
        rowKey={rowKey}
        rowLabel={rowLabel}
        scrollX
        failedText={texts.failed[kind]}
      />
    </UiTextsContext>
  )
}
