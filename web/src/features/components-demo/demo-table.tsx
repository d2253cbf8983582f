import { useMemo, useState } from 'react'
import { Badge } from '../../components/display/badge.tsx'
import { Chips } from '../../components/display/chips.tsx'
import { Toolbar, TwoLines } from '../../components/display/layout.tsx'
import { createOptions } from '../../components/fields/options.ts'
import { RadioGroup } from '../../components/fields/radio-group.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { formatNumber } from '../../lib/format/number.format.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import type { Column, Sort } from '../../components/table/column.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import { Pagination } from '../../components/table/pagination.tsx'
import { type DemoRow, demoRows } from './demo-rows.ts'
import { demoTexts } from './demo.texts.ts'

const { display, table } = demoTexts

const columns: readonly Column<DemoRow>[] = [
  {
    key: 'orderno',
    header: table.order,
    sortable: true,
    cell: (row) => <TwoLines first={row.orderno} second={row.barcode} mono />,
    total: table.total,
  },
  {
    key: 'status',
    header: table.status,
    phone: 'right',
    cell: (row) => <TwoLines first={<Badge tone={row.tone}>{row.status}</Badge>} second={row.time} />,
  },
  {
    key: 'person',
    header: table.receiver,
    cell: (row) => <TwoLines first={row.person} second={row.phone} />,
  },
  { key: 'town', header: table.town, sortable: true, phone: 'right', cell: (row) => row.town },
  {
    key: 'price',
    header: table.price,
    align: 'end',
    sortable: true,
    phone: 'line',
    cell: (row) => formatNumber(row.price),
    total: formatNumber(demoRows.reduce((sum, row) => sum + row.price, 0)),
  },
]

const states = ['rows', 'loading', 'refreshing', 'empty', 'error'] as const
const count = (tone: string) => demoRows.filter((row) => row.tone === tone).length
const labelOf = (row: DemoRow) => row.orderno
const keyOf = (row: DemoRow) => row.id

function sortRows(rows: readonly DemoRow[], sort: Sort | null): readonly DemoRow[] {
  if (!sort) return rows
  const key = sort.key as 'orderno' | 'town' | 'price'
  const sign = sort.descending ? -1 : 1
  return rows.toSorted((a, b) => sign * (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0))
}

/** The table with its search, chips, bulk actions and pages, and each of its states. */
export function DemoTable() {
  const toasts = useToasts()
  const [state, setState] = useState<string>('rows')
  const [search, setSearch] = useState('')
  const [chip, setChip] = useState('')
  const [sort, setSort] = useState<Sort | null>({ key: 'orderno', descending: true })
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(10)
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState<string | null>(null)

  const foundRows = useMemo(() => {
    const term = search.toLowerCase()
    const rows = demoRows.filter(
      (row) => (chip === '' || row.tone === chip) && row.orderno.toLowerCase().includes(term),
    )
    return sortRows(rows, sort)
  }, [search, chip, sort])
  const rows = useMemo(() => foundRows.slice((page - 1) * size, page * size), [foundRows, page, size])

  return (
    <>
      <Toolbar>
        <SearchBox
          value={search}
          label={table.search}
          onSearch={(text) => {
            setSearch(text)
            setPage(1)
          }}
        />
        <RadioGroup
          label={table.state}
          hideLabel
          options={createOptions(states, table.states)}
          value={state}
          onChange={setState}
        />
      </Toolbar>
      <Chips
        label={table.status}
        value={chip}
        onChange={(value) => {
          setChip(value)
          setPage(1)
        }}
        chips={[
          { value: '', label: table.all, count: demoRows.length },
          { value: 'wait', label: display.waiting, count: count('wait') },
          { value: 'info', label: display.moving, count: count('info') },
          { value: 'ok', label: display.delivered, count: count('ok') },
          { value: 'bad', label: table.attention, count: count('bad'), isUrgent: true },
        ]}
      />
      <DataTable
        label={table.label}
        columns={columns}
        rows={state === 'loading' ? undefined : state === 'empty' ? [] : rows}
        rowKey={keyOf}
        rowLabel={labelOf}
        lines={2}
        sort={sort}
        onSort={setSort}
        onRowClick={(row) => {
          setActive(row.id)
          toasts.show({ title: row.orderno, text: row.person })
        }}
        activeKey={active}
        selection={{
          selected: selection,
          onChange: setSelection,
          actions: [
            {
              label: table.activate,
              onRun: (keys) => toasts.show({ title: table.activate, text: keys.join(', ') }),
            },
            {
              label: table.remove,
              danger: true,
              onRun: (keys) => toasts.show({ title: table.remove, text: keys.join(', ') }),
            },
          ],
        }}
        loading={state === 'loading' || state === 'refreshing'}
        skeletonRows={size}
        error={
          state === 'error'
            ? {
                message: table.failed,
                reason: table.reason,
              }
            : null
        }
        onRetry={() => setState('rows')}
        footer={
          <Pagination
            page={page}
            pageSize={size}
            shown={rows.length}
            total={demoRows.length}
            filteredTotal={foundRows.length}
            onPage={setPage}
            onPageSize={(next) => {
              setSize(next)
              setPage(1)
            }}
          />
        }
      />
    </>
  )
}
