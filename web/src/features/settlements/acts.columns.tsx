import { Link } from '@tanstack/react-router'
import type { OwnSettlementAct, SettlementAct } from '@karvon/contract/settlements/settlements.ts'
import { Badge } from '../../components/display/badge.tsx'
import { TwoLines } from '../../components/display/layout.tsx'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import { LinesLink, type SettlementScope } from './settlements.cells.tsx'
import { actTexts as texts } from './settlements.texts.ts'

type PaidProps = { act: OwnSettlementAct & Partial<Pick<SettlementAct, 'voided_at' | 'unlisted_at'>> }

/** What the courier has paid, and when. An act that another person than an admin sees is not voided. */
function Paid({ act: { due, currency, paid_at: day, voided_at, unlisted_at } }: PaidProps) {
  if (voided_at) return <Badge>{texts.voided}</Badge>
  if (unlisted_at) return <Unlisted day={day} />
  if (day === null) return <Badge tone="wait">{texts.unpaid}</Badge>
  // On a phone both lines are one value.
  return (
    <div>
      <TwoLines first={formatAmount(due, currency)} second={formatDay(day)} />
    </div>
  )
}

const Unlisted = ({ day }: { day: string | null }) => (
  <div>
    <TwoLines
      first={<Badge tone="bad">{texts.unlisted}</Badge>}
      second={day === null ? texts.unpaid : formatDay(day)}
    />
  </div>
)

/** The columns of acts that admins and other people see. */
function createSharedColumns<Row extends OwnSettlementAct>(scope: SettlementScope): Column<Row>[] {
  const { columns } = texts
  const createSum = (key: 'collected' | 'fees' | 'due'): Column<Row> => ({
    key,
    header: columns[key],
    cell: (row) => formatAmount(row[key], row.currency),
    align: 'end',
    sortable: scope === 'all',
    spareBelow: scope === 'all' && key !== 'due' ? 1100 : undefined,
    phone: 'line',
  })
  return [
    {
      key: 'number',
      header: columns.number,
      cell: (row) => (
        <TwoLines first={<TruncatedText text={row.number} />} second={formatDay(row.act_date)} />
      ),
      sortable: true,
    },
    {
      key: 'lines',
      header: columns.lines,
      cell: (row) => <LinesLink scope={scope} actId={row.id} text={formatNumber(row.lines)} />,
      align: 'end',
      phone: 'line',
    },
    createSum('collected'),
    createSum('fees'),
    createSum('due'),
    {
      key: 'paid_at',
      header: columns.paid,
      cell: (row) => <Paid act={row} />,
      align: 'end',
      sortable: true,
      phone: 'line',
    },
  ]
}

/** The columns of the acts that have own parcels. */
export const createOwnActColumns = (): Column<OwnSettlementAct>[] => createSharedColumns('own')

/** The number of open differences of an act, with a link to them. */
export function DifferenceCount({ act }: { act: SettlementAct }) {
  if (act.differences === 0) return formatNumber(0)
  return (
    <Link to="/settlements" search={{ tab: 'differences', act_id: String(act.id), status: 'open' }}>
      {formatNumber(act.differences)}
    </Link>
  )
}

/** The columns of the acts of all courier accounts. */
export function createActColumns(): Column<SettlementAct>[] {
  const { columns } = texts
  return [
    ...createSharedColumns<SettlementAct>('all'),
    {
      key: 'courier_account',
      header: columns.courier_account,
      cell: (row) => <TruncatedText text={row.courier_account.name} />,
      spareBelow: 1100,
      phone: 'line',
    },
    {
      key: 'difference',
      header: columns.difference,
      cell: (row) => formatAmount(row.difference, row.currency),
      align: 'end',
      phone: 'line',
    },
    {
      key: 'differences',
      header: columns.differences,
      cell: (row) => <DifferenceCount act={row} />,
      align: 'end',
      phone: 'line',
    },
  ]
}
