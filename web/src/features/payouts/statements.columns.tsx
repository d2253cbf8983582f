import { Link } from '@tanstack/react-router'
import type { Statement } from '@karvon/contract/payouts/statements.ts'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatAmount, formatMoney } from '../../lib/format/money.format.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import { getAccountSearch } from '../ledger/entries.links.ts'
import { statementTexts as texts } from './statements.texts.ts'
import type { MoneyScope } from './money.scope.ts'

/** The days of a statement: `01.01.2026 – 31.01.2026`. */
const formatPeriod = ({ start_date: start, end_date: end }: Statement): string =>
  texts.period({ start: formatDay(start), end: formatDay(end) })

/** The number of entries of a statement, with a link to them. */
function EntryCount({ scope, statement }: { scope: MoneyScope; statement: Statement }) {
  const { user, currency } = statement
  const id = String(statement.id)
  const account = { kind: 'person', ref_id: user.id, currency } as const
  const count = formatNumber(statement.entries)
  return scope === 'all' ? (
    <Link to="/settlements" search={{ ...getAccountSearch(account), statement_id: id }}>
      {count}
    </Link>
  ) : (
    <Link to="/money" search={{ tab: 'history', statement_id: id }}>
      {count}
    </Link>
  )
}

const sums = ['opening', 'earned', 'reversed', 'fees', 'adjusted', 'paid', 'closing'] as const

/** The sums of a statement. Those between the first and the last explain the difference of both. */
export const createStatementSums = (row: Statement) =>
  sums.map((key) => ({
    name: texts.columns[key],
    value: formatAmount(row[key], row.currency),
    isTotal: key === 'closing',
  }))

/** The other values of a statement, for its detail. Times are in the time zone `zone`. */
export function createStatementFacts(row: Statement, { scope, zone }: { scope: MoneyScope; zone: string }) {
  const { columns } = texts
  return [
    { name: columns.start_date, value: formatPeriod(row) },
    { name: columns.user, value: row.user.name },
    { name: columns.entries, value: <EntryCount scope={scope} statement={row} /> },
    { name: columns.closed_by, value: row.closed_by.name },
    { name: columns.closed_at, value: formatDateTime(row.closed_at, zone) },
  ]
}

function createSumColumn(key: (typeof sums)[number]): Column<Statement> {
  return {
    key,
    header: texts.columns[key],
    cell: (row) => (key === 'closing' ? formatAmount(row[key], row.currency) : formatMoney(row[key], '.')),
    align: 'end',
    spareBelow: key === 'opening' || key === 'closing' ? undefined : 1100,
    phone: 'line',
  }
}

/** The columns of the statements, those of all people with the person. */
export const createStatementColumns = (scope: MoneyScope) => (): Column<Statement>[] => {
  const { columns } = texts
  return [
    {
      key: 'start_date',
      header: columns.start_date,
      cell: formatPeriod,
      sortable: true,
      nowrap: true,
    },
    ...(scope === 'own'
      ? []
      : [
          {
            key: 'user',
            header: columns.user,
            cell: (row: Statement) => <TruncatedText text={row.user.name} />,
            phone: 'line' as const,
          },
        ]),
    ...sums.map(createSumColumn),
    {
      key: 'entries',
      header: columns.entries,
      cell: (row) => <EntryCount scope={scope} statement={row} />,
      align: 'end',
      phone: 'line',
    },
  ]
}
