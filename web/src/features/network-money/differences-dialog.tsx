import { createOptions } from '../../components/fields/options.ts'
import { missingValue } from '../../lib/format/missing.ts'
import { useMemo } from 'react'
import { Link } from '@tanstack/react-router'
import {
  moneyDifferenceKinds,
  listNetworkDifferences,
  type NetworkDifference,
  type NetworkMoney,
} from '@karvon/contract/network-money/network-money.ts'
import { Modal } from '../../components/overlay/modal.tsx'
import type { Column } from '../../components/table/column.ts'
import { useDialogTableState } from '../../lib/dialog-table-state.hook.ts'
import { useList } from '../../lib/list.query.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSettings } from '../../lib/settings.store.ts'
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

const kindFilter = {
  name: 'kind',
  options: createOptions(moneyDifferenceKinds, texts.kinds),
  ...texts.filters.kind,
}

function Lines({ account: { id: accountId, balance }, label }: { account: NetworkMoney; label: string }) {
  const { time_zone: zone } = useSettings()
  const table = useDialogTableState()
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
