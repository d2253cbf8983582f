import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { differenceKinds } from '@karvon/contract/settlements/differences.ts'
import {
  getOwnSettlement,
  getSettlement,
  listOwnSettlementLines,
  listSettlementLines,
  type OwnSettlementAct,
  type OwnSettlementLine,
  type SettlementAct,
  type SettlementLine,
} from '@karvon/contract/settlements/settlements.ts'
import { Badge } from '../../components/display/badge.tsx'
import { PageHeader } from '../../components/display/layout.tsx'
import type { Column } from '../../components/table/column.ts'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatAmount, formatMoney } from '../../lib/format/money.format.ts'
import { send } from '../../lib/http.ts'
import { buildListQuery, useList } from '../../lib/list.query.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useTableState } from '../../lib/table-state.ts'
import { ListFilters, type ListFilter } from '../../resources/list-filters.tsx'
import { ListPage } from '../../resources/list-page.tsx'
import { actPages, formatKind, OrderLink, type SettlementScope } from './settlements.cells.tsx'
import { actLineTexts as texts, actTexts } from './settlements.texts.ts'

/** A line, with its differences for admins. */
type Line = OwnSettlementLine & Partial<Pick<SettlementLine, 'differences'>>

const calls = { all: listSettlementLines, own: listOwnSettlementLines } as const
const actCalls = { all: getSettlement, own: getOwnSettlement } as const

const filters: readonly ListFilter[] = [
  {
    name: 'kind',
    options: differenceKinds.map((value) => ({ value, label: formatKind(value) })),
    ...texts.kind,
  },
]
const tableSpec = { pageSize: 20, filters: ['kind'] }

type ActLinesProps = { scope: SettlementScope; actId: string }

/** The lines of an act: one order each. */
export function ActLines({ scope, actId }: ActLinesProps) {
  const table = useTableState(tableSpec)
  const list = useList<Line>({
    table,
    key: queryKeys.settlementLines(scope, actId),
    call: calls[scope],
    query: buildListQuery(table.state),
    params: { id: actId },
  })
  return (
    <>
      <p>
        <Link to={actPages[scope]} search={{ tab: 'acts' }}>
          {texts.back}
        </Link>
      </p>
      <ActHeader scope={scope} actId={actId} />
      <ListPage
        list={list}
        label={texts.title}
        searchLabel={texts.search}
        filters={scope === 'all' && <ListFilters table={table} filters={filters} />}
        exportName="act-lines"
        columns={lineColumns[scope]}
        rowKey={({ id }) => String(id)}
        rowLabel={({ orderno }) => orderno}
        failedText={texts.loadFailed}
        emptyText={texts.empty}
      />
    </>
  )
}

/** The act whose lines are shown. Other people than admins see the sums of their own lines. */
function ActHeader({ scope, actId }: ActLinesProps) {
  const { data: act } = useQuery<OwnSettlementAct & Partial<Pick<SettlementAct, 'courier_account'>>>({
    queryKey: queryKeys.settlementAct(scope, actId),
    queryFn: ({ signal }) => send(actCalls[scope], { params: { id: Number(actId) }, signal }),
  })
  // Without the act, the space keeps the lines of the heading.
  if (act === undefined) return <PageHeader title={'\u00a0'} subtitle={'\u00a0'} />
  const { number, act_date, courier_account: account, due, currency } = act
  const day = formatDay(act_date)
  const subtitle = account === undefined ? day : actTexts.ofAccount({ day, account: account.name })
  return (
    <PageHeader
      title={actTexts.one({ number })}
      subtitle={`${subtitle} · ${actTexts.columns.due} ${formatAmount(due, currency)}`}
    />
  )
}

const createSumColumn = (key: 'collected' | 'delivery_fee' | 'cash_fee' | 'due'): Column<Line> => ({
  key,
  header: texts.columns[key],
  cell: (row) => formatMoney(row[key], '.'),
  align: 'end',
  sortable: key === 'collected' || key === 'due',
  phone: 'line',
})

const ownColumns: Column<Line>[] = [
  {
    key: 'orderno',
    header: texts.columns.orderno,
    cell: (row) => <OrderLink order={row} />,
    sortable: true,
  },
  {
    key: 'delivered_date',
    header: texts.columns.delivered_date,
    cell: (row) => formatDay(row.delivered_date),
    sortable: true,
    nowrap: true,
    phone: 'line',
  },
  ...(['collected', 'delivery_fee', 'cash_fee', 'due'] as const).map(createSumColumn),
]

const lineColumns: Readonly<Record<SettlementScope, Column<Line>[]>> = {
  own: ownColumns,
  all: [
    ...ownColumns,
    {
      key: 'differences',
      header: texts.columns.differences,
      cell: ({ id, differences = [] }) =>
        differences.length === 0
          ? texts.none
          : differences.map((kind) => (
              <Badge key={`${id} ${kind}`} tone="wait">
                {formatKind(kind)}
              </Badge>
            )),
      phone: 'line',
    },
  ],
}
