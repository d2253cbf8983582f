import { useMemo } from 'react'
import { Link, useNavigate } from '@tanstack/react-router'
import { accountKinds, listLedgerAccounts, type LedgerAccount } from '@karvon/contract/ledger/ledger.ts'
import { ToolbarItem } from '../../components/display/layout.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { isDay } from '../../lib/format/date-range.rules.ts'
import { getDayEnd } from '../../lib/format/day-end.format.ts'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import { buildListQuery, useList } from '../../lib/list.query.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { useTableState } from '../../lib/table-state.ts'
import { ListFilters, type ListFilter } from '../../resources/list-filters.tsx'
import { ListToolbar } from '../../resources/list-page.tsx'
import { ListTable } from '../../resources/list-table.tsx'
import { AdjustButton } from './adjust-button.tsx'
import { firstLedgerDay, getAccountSearch } from './entries.links.ts'
import { formatAccount, formatAccountKind } from './ledger.names.ts'
import classes from './ledger.module.css'
import { ledgerAccountsTexts as texts, ledgerTexts } from './ledger.texts.ts'

const filters: readonly ListFilter[] = [
  {
    name: 'kind',
    options: accountKinds.map((value) => ({ value, label: formatAccountKind(value) })),
    ...ledgerTexts.filters.kind,
  },
]
const tableSpec = { pageSize: 20, filters: ['kind', 'at'] }

/** The accounts of the ledger with their balances, now or at the end of the day `at` of the URL. */
export function AccountsPage() {
  const table = useTableState(tableSpec)
  const navigate = useNavigate()
  const admin = isAdmin(useSession())
  const { time_zone: zone } = useSettings()
  const { at, ...otherFilters } = table.state.filters
  // A year that is still being typed begins with 0.
  const day = at !== undefined && isDay(at) && at >= firstLedgerDay ? at : undefined
  const query = {
    ...buildListQuery({ ...table.state, filters: otherFilters }),
    at: day && getDayEnd(day, zone),
  }
  const list = useList<LedgerAccount>({
    table,
    query,
    key: queryKeys.ledgerAccounts,
    call: listLedgerAccounts,
  })
  const columns = useMemo(() => createAccountColumns(day), [day])
  return (
    <>
      <ListToolbar
        list={list}
        searchLabel={texts.search}
        filters={
          <>
            <ListFilters table={table} filters={filters} />
            <ToolbarItem width={290}>
              <span className={classes.at}>
                <span aria-hidden="true">{texts.at}</span>
                <TextField
                  type="date"
                  label={texts.at}
                  hideLabel
                  value={at ?? ''}
                  // Each key changes a typed day. Back leads to the balances without one.
                  onChange={(pickedDay) =>
                    table.change({ filters: { at: pickedDay }, isCorrection: at !== undefined })
                  }
                />
              </span>
            </ToolbarItem>
          </>
        }
        columns={columns}
        exportName="accounts"
        actions={admin && <AdjustButton />}
      />
      <p className={classes.note}>
        {day === undefined ? texts.now : texts.atEndOf({ day: formatDay(day) })} {texts.signs}
      </p>
      <ListTable
        list={list}
        label={texts.title}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={formatAccount}
        failedText={texts.loadFailed}
        emptyText={texts.empty}
        onRowClick={(row) => void navigate({ to: '/settlements', search: getAccountSearch(row, endOn(day)) })}
      />
    </>
  )
}

/** The period of the entries that make a balance at the end of a day. */
const endOn = (day: string | undefined) =>
  day === undefined ? undefined : { start: firstLedgerDay, end: day }

/** `day`: the day of the balances, undefined for the present ones, which alone have a part on hold. */
const createAccountColumns = (day: string | undefined): Column<LedgerAccount>[] => [
  {
    key: 'name',
    header: texts.columns.name,
    cell: (row) => <TruncatedText text={formatAccount(row)} isWide />,
    sortable: true,
  },
  {
    key: 'balance',
    header: texts.columns.balance,
    cell: (row) => formatAmount(row.balance, row.currency),
    align: 'end',
    sortable: true,
  },
  {
    key: 'on_hold',
    header: texts.columns.on_hold,
    cell: (row) => (day === undefined ? formatAmount(row.on_hold, row.currency) : ledgerTexts.none),
    align: 'end',
    sortable: true,
    phone: 'line',
  },
  {
    key: 'entries',
    header: texts.columns.entries,
    cell: (row) => (
      <Link to="/settlements" search={getAccountSearch(row, endOn(day))}>
        {formatNumber(row.entries)}
      </Link>
    ),
    align: 'end',
    sortable: true,
    phone: 'line',
  },
]
