import type { Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { StatusBadge, type Tone } from '../../components/display/badge.tsx'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import { withdrawalTexts as texts } from './withdrawals.texts.ts'
import { createTimeColumn } from '../../resources/time-column.ts'

const tones: Readonly<Record<string, Tone>> = {
  requested: 'wait',
  approved: 'info',
  sent: 'info',
  paid: 'ok',
  declined: 'bad',
}

export function WithdrawalStatusBadge({ status }: { status: string }) {
  return <StatusBadge status={status} tones={tones} names={texts.statuses} />
}

/** Why a withdrawal was declined, when it was sent, or when and how it was paid. */
function formatOutcome(row: Withdrawal, zone: string): string {
  const { status, decline_reason: reason, sent_at: sentAt, paid_on, reference } = row
  if (status === 'sent') return formatDateTime(sentAt, zone)
  if (status === 'paid') return texts.paid({ day: formatDay(paid_on), reference: reference ?? texts.none })
  return reason ?? texts.none
}

/** The columns of withdrawals that admins and other people see, without the time of the request. */
function createSharedColumns(zone: string): Column<Withdrawal>[] {
  const { columns } = texts
  return [
    {
      key: 'amount',
      header: columns.amount,
      cell: (row) => formatAmount(row.amount, row.currency),
      align: 'end',
      sortable: true,
    },
    {
      key: 'status',
      header: columns.status,
      cell: (row) => <WithdrawalStatusBadge status={row.status} />,
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'details',
      header: columns.details,
      cell: (row) => row.details,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'outcome',
      header: columns.outcome,
      cell: (row) => <TruncatedText text={formatOutcome(row, zone)} />,
      phone: 'line',
    },
  ]
}

const createRequestedColumn = (zone: string): Column<Withdrawal> =>
  createTimeColumn('requested_at', texts.columns.requested_at, zone)

/** The columns of a person's own withdrawals. Times are in the time zone `zone`. */
export const createOwnWithdrawalColumns = (zone: string): Column<Withdrawal>[] => [
  createRequestedColumn(zone),
  ...createSharedColumns(zone),
]

/** The columns of the withdrawals of all people. */
export const createWithdrawalColumns = (zone: string): Column<Withdrawal>[] => [
  { key: 'user', header: texts.columns.user, cell: (row) => <TruncatedText text={row.user.name} /> },
  ...createSharedColumns(zone),
  { ...createRequestedColumn(zone), phone: 'line' },
]
