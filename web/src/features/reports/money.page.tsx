import { missingValue } from '../../lib/format/missing.ts'
import type { Received } from '@karvon/contract/lib/received.ts'
import type { Named } from '@karvon/contract/lib/field.ts'
import { ToolbarItem } from '../../components/display/layout.tsx'
import { Select } from '../../components/fields/select.tsx'
import type { Column } from '../../components/table/column.ts'
import { useList } from '../../lib/list.query.ts'
import { ListPage } from '../../resources/list-page.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { formatSort, useTableState } from '../../lib/table-state.ts'
import { toOptions } from '../../resources/reference-options.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { Difference } from './difference.tsx'
import { formatFigure } from '../../lib/format/money.format.ts'
import { useReport, useReportInput, type ReceivedFinRow } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

type Row = ReceivedFinRow

const tableSpec = { pageSize: 10, filters: ['source_id'] }

/** The tab `money`: our amounts of each source, the network's amounts, and the differences. */
export function MoneyReportPage() {
  const table = useTableState(tableSpec)
  const { page, size, sort, filters } = table.state
  const query = { page, per_page: size, sort: formatSort(sort), source_id: filters.source_id }
  const list = useList<ReceivedFinRow>({ ...useReportInput('fin'), table, query })
  const { time_zone: zone } = useSettings()
  const sources = useReport<Received<Named>>('sources', { page: 1, per_page: 200 })
  return (
    <ListPage
      list={list}
      label={texts.tables.money}
      isSearchable={false}
      filters={
        <ToolbarItem width={180}>
          <Select
            label={texts.source}
            hideLabel
            emptyOption={texts.allSources}
            options={toOptions(sources.data?.items)}
            value={filters.source_id ?? ''}
            onChange={(value) => table.change({ filters: { source_id: value } })}
          />
        </ToolbarItem>
      }
      exportName="money-report"
      columns={createMoneyColumns(zone)}
      rowKey={(row) => String(row.id ?? row.name)}
      rowLabel={(row) => row.name ?? missingValue}
      scrollX
      failedText={texts.failed.money}
    />
  )
}

const formatTime = (iso: string | null | undefined, zone: string) =>
  iso ? formatDateTime(iso, zone) : missingValue

function createMoneyColumns(zone: string): Column<Row>[] {
  const { money } = texts
  const amount = (key: 'profit' | 'hold_amount' | 'network_balance' | 'network_hold'): Column<Row> => ({
    key,
    header: money[key],
    cell: (row) => formatFigure(row[key]),
    align: 'end',
    sortable: key === 'profit' || key === 'hold_amount',
    phone: 'line',
  })
  const difference = (key: 'balance_difference' | 'hold_difference'): Column<Row> => ({
    key,
    header: money[key],
    cell: (row) => <Difference value={row[key]} />,
    align: 'end',
    phone: 'line',
  })
  return [
    { key: 'name', header: texts.source, cell: (row) => row.name, sortable: true },
    amount('profit'),
    amount('network_balance'),
    difference('balance_difference'),
    amount('hold_amount'),
    amount('network_hold'),
    difference('hold_difference'),
    {
      key: 'network_time',
      header: money.network_time,
      cell: (row) => formatTime(row.network_time, zone),
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'time',
      header: money.time,
      cell: (row) => formatTime(row.time, zone),
      nowrap: true,
      phone: 'line',
    },
  ]
}
