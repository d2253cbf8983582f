import { createOptions } from '../../components/fields/options.ts'
import { missingValue } from '../../lib/format/missing.ts'
import { useMemo, useState } from 'react'
import { Link } from '@tanstack/react-router'
import {
  moneyDifferenceKinds,
  listNetworkDifferences,
  type NetworkDifference,
  type NetworkMoney,
} from '@karvon/contract/network-money/network-money.ts'
import { Modal } from '../../components/overlay/modal.tsx'
import type { Column } from '../../components/table/column.ts'
import { useList } from '../../lib/list.query.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSettings } from '../../lib/settings.store.ts'
import type { TableChange, TableControl, TableState } from '../../lib/table-state.ts'
import { ListFilters } from '../../resources/list-filters.tsx'
import { ListPage } from '../../resources/list-page.tsx'
import { Difference } from '../reports/difference.tsx'
import { formatFigure } from '../../lib/format/money.format.ts'
import classes from './network-money.module.css'
import { networkMoneyTexts as texts } from './network-money.texts.ts'
import { createTimeColumn } from '../../resources/time-column.ts'

type DifferencesDialogProps = { account: NetworkMoney | null; onClose: () => void }

/** The lines that explain the difference of an account. */
export function DifferencesDialog({ account, onClose }: DifferencesDialogProps) {
  const title = account === null ? '' : texts.lines.title({ name: account.name ?? account.source.name })
  return (
    <Modal opened={account !== null} title={title} onClose={onClose} width={1080}>
      {account && <Lines key={account.id} account={account} label={title} />}
    </Modal>
  )
}

const initialState: TableState = { page: 1, size: 10, sort: null, search: '', filters: {} }

const kindFilter = {
  name: 'kind',
  options: createOptions(moneyDifferenceKinds, texts.kinds),
  ...texts.filters.kind,
}

function Lines({ account: { id: accountId, balance }, label }: { account: NetworkMoney; label: string }) {
  const { time_zone: zone } = useSettings()
  const table = useDialogTable()
  const list = useList<NetworkDifference>({
    table,
    key: queryKeys.networkDifferences(accountId),
    call: listNetworkDifferences,
    params: { id: accountId },
    staleTime: 0,
  })
  const columns = useMemo(() => createLineColumns(zone), [zone])
  return (
    <div className={classes.lines}>
      <ListPage
        list={list}
        label={label}
        searchLabel={texts.lines.search}
        filters={<ListFilters table={table} filters={[kindFilter]} />}
        exportName="network-differences"
        columns={columns}
        rowKey={(row) => String(row.id)}
        scrollX
        failedText={texts.lines.loadFailed}
        emptyText={balance === null ? texts.lines.noBalance : texts.lines.empty}
      />
    </div>
  )
}

/** The state of the list is not in the URL, which belongs to the list on the page. */
function useDialogTable(): TableControl {
  const [state, setState] = useState(initialState)
  const change = ({ page = 1, size, sort, search, filters }: TableChange) =>
    setState((now) => ({
      page,
      size: size ?? now.size,
      sort: sort === undefined ? now.sort : sort,
      search: search ?? now.search,
      filters: { ...now.filters, ...fillUndefined(filters) },
    }))
  return { state, change }
}

/** A removed filter is an empty text. */
const fillUndefined = (filters: TableChange['filters'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, value ?? '']))

function LineId({ row: { external_id, lead_id } }: { row: NetworkDifference }) {
  if (lead_id === null) return external_id ?? missingValue
  return (
    <Link to="/leads" search={{ id: String(lead_id) }}>
      {external_id}
    </Link>
  )
}

function createLineColumns(zone: string): Column<NetworkDifference>[] {
  const { lineColumns: columns } = texts
  return [
    { key: 'kind', header: columns.kind, cell: (row) => texts.kinds[row.kind] },
    {
      key: 'external_id',
      header: columns.external_id,
      cell: (row) => <LineId row={row} />,
      sortable: true,
    },
    { key: 'status', header: columns.status, cell: (row) => row.status ?? missingValue },
    ...(['actual', 'expected'] as const).map((key): Column<NetworkDifference> => ({
      key,
      header: columns[key],
      cell: (row) => formatFigure(row[key]),
      align: 'end',
      sortable: true,
    })),
    {
      key: 'difference',
      header: columns.difference,
      cell: (row) => <Difference value={row.difference} />,
      align: 'end',
      sortable: true,
    },
    createTimeColumn('at', columns.at, zone),
    { key: 'comment', header: columns.comment, cell: (row) => row.comment ?? missingValue },
  ]
}
