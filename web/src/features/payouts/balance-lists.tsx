import { lazy, useMemo, useState, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { Call } from '@karvon/contract/lib/call.ts'
import { listOwnWithdrawals, type Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { listOwnEntries } from '@karvon/contract/payouts/statements.ts'
import { PageHeader } from '../../components/display/layout.tsx'
import { LazyDialog } from '../../components/lazy-part.tsx'
import type { Column } from '../../components/table/column.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import { getErrorMessage } from '../../lib/http.ts'
import { getRefetchInterval, useListPage } from '../../lib/list.query.ts'
import { queryKeys, type QueryKey } from '../../lib/query-keys.ts'
import { useSettings } from '../../lib/settings.store.ts'
import type { ListSearch } from '../../lib/table-state.ts'
import { useSkeletonRowCount } from '../../resources/skeleton-rows.hook.ts'
import { formatCause } from '../ledger/ledger.names.ts'
import { balanceTexts, ownEntryTexts } from './money.texts.ts'
import { createOwnEntryColumns, type OwnEntry } from './own-entries.columns.tsx'
import classes from './payouts.module.css'
import { createOwnWithdrawalColumns } from './withdrawals.columns.tsx'
import { withdrawalTexts } from './withdrawals.texts.ts'

const OwnWithdrawal = lazy(async () => ({ default: (await import('./own-withdrawal.tsx')).OwnWithdrawal }))

/** The most rows of each list. */
const maxRows = 5

/** The open withdrawals and the newest entries, below the balance. */
export function BalanceLists() {
  const { time_zone: zone } = useSettings()
  const [openedWithdrawal, setOpenedWithdrawal] = useState<Withdrawal | null>(null)
  const closeWithdrawal = () => setOpenedWithdrawal(null)
  const entryColumns = useMemo(() => createOwnEntryColumns(zone), [zone])
  const withdrawalColumns = useMemo(
    () => createOwnWithdrawalColumns(zone).filter(({ key }) => key !== 'outcome'),
    [zone],
  )
  return (
    <div className={classes.lists}>
      <NewestRows<Withdrawal>
        title={balanceTexts.openWithdrawals}
        all={{ tab: 'withdrawals', status: 'open' }}
        call={listOwnWithdrawals}
        listKey={queryKeys.ownWithdrawals}
        query={{ status: 'open' }}
        expectedRows={1}
        columns={withdrawalColumns}
        rowLabel={({ id }) => withdrawalTexts.one({ id })}
        failedText={withdrawalTexts.loadFailed}
        emptyText={balanceTexts.noOpenWithdrawals}
        onRowClick={setOpenedWithdrawal}
      />
      <NewestRows<OwnEntry>
        title={balanceTexts.newestEntries}
        all={{ tab: 'history' }}
        call={listOwnEntries}
        listKey={queryKeys.ownEntries}
        columns={entryColumns}
        rowLabel={formatCause}
        failedText={ownEntryTexts.loadFailed}
        emptyText={ownEntryTexts.empty}
      />
      <LazyDialog opened={openedWithdrawal !== null} onClose={closeWithdrawal}>
        <OwnWithdrawal
          withdrawal={openedWithdrawal}
          onCancel={setOpenedWithdrawal}
          onClose={closeWithdrawal}
        />
      </LazyDialog>
    </div>
  )
}

type NewestRowsProps<Row> = {
  title: string
  /** The tab with all rows. */
  all: ListSearch
  call: Call
  listKey: QueryKey
  query?: Readonly<Record<string, string>>
  /** The rows of the skeleton on the first visit. */
  expectedRows?: number
  columns: readonly Column<Row>[]
  rowLabel: (row: Row) => string
  failedText: string
  emptyText: string
  onRowClick?: (row: Row) => void
}

/** The first rows of a list, with a link to all of them. */
function NewestRows<Row extends { id: number }>(props: NewestRowsProps<Row>): ReactNode {
  const { title, all, call, listKey, query, expectedRows = maxRows, failedText, ...table } = props
  const { data, error, isFetching, refetch } = useListPage<Row>({
    call,
    key: listKey,
    query: { ...query, page: 1, per_page: maxRows },
    page: { page: 1, size: maxRows },
    refetchInterval: getRefetchInterval,
  })
  const skeletonRows = useSkeletonRowCount(`newest ${title}`, expectedRows, data?.items.length)
  return (
    <section className={classes.balance} aria-label={title}>
      <PageHeader
        title={title}
        actions={
          <Link to="/money" search={all} aria-label={`${balanceTexts.showAll}: ${title}`}>
            {balanceTexts.showAll}
          </Link>
        }
      />
      <DataTable
        {...table}
        label={title}
        rows={data?.items}
        rowKey={({ id }) => String(id)}
        loading={isFetching}
        skeletonRows={skeletonRows}
        error={error && { message: failedText, reason: getErrorMessage(error) }}
        onRetry={() => void refetch()}
      />
    </section>
  )
}
