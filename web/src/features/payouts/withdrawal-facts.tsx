import { Link } from '@tanstack/react-router'
import type { Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { getCauseSearch } from '../ledger/entries.links.ts'
import type { MoneyScope } from './money.scope.ts'
import { WithdrawalStatusBadge } from './withdrawals.columns.tsx'
import { withdrawalTexts as texts } from './withdrawals.texts.ts'

type WithdrawalFactsProps = { scope: MoneyScope; withdrawal: Withdrawal }

/** What is known about a withdrawal. */
export function WithdrawalFacts({ scope, withdrawal: row }: WithdrawalFactsProps) {
  const { time_zone: zone } = useSettings()
  const { columns, facts: names } = texts
  return (
    <Facts
      facts={[
        { name: columns.status, value: <WithdrawalStatusBadge status={row.status} /> },
        { name: columns.amount, value: formatAmount(row.amount, row.currency) },
        { name: columns.user, value: row.user.name },
        { name: columns.details, value: row.details },
        { name: columns.requested_at, value: formatDateTime(row.requested_at, zone) },
        ...(row.decided_by === null ? [] : [{ name: names.decidedBy, value: row.decided_by.name }]),
        ...(row.decided_at === null
          ? []
          : [{ name: names.decidedAt, value: formatDateTime(row.decided_at, zone) }]),
        ...(row.decline_reason === null ? [] : [{ name: names.reason, value: row.decline_reason }]),
        ...(scope === 'all' && row.registry_id
          ? [
              { name: names.registry, value: <RegistryLink id={row.registry_id} /> },
              { name: names.sentBy, value: row.sent_by?.name },
            ]
          : []),
        ...(row.sent_at ? [{ name: names.sentAt, value: formatDateTime(row.sent_at, zone) }] : []),
        ...(row.paid_on === null ? [] : [{ name: names.paidOn, value: formatDay(row.paid_on) }]),
        ...(row.reference === null ? [] : [{ name: names.reference, value: row.reference }]),
        ...(scope === 'all' && row.status === 'paid'
          ? [{ name: names.entries, value: <EntriesLink id={row.id} /> }]
          : []),
      ]}
    />
  )
}

function RegistryLink({ id }: { id: number }) {
  return (
    <Link to="/settlements" search={{ tab: 'registries', registry_id: String(id) }}>
      #{id}
    </Link>
  )
}

function EntriesLink({ id }: { id: number }) {
  return (
    <Link to="/settlements" search={getCauseSearch({ cause_type: 'withdrawal', cause_id: id })}>
      {texts.showEntries}
    </Link>
  )
}
