import { Link } from '@tanstack/react-router'
import type { ReceivedOf } from '@karvon/contract/lib/call.ts'
import type { listOwnEntries } from '@karvon/contract/payouts/statements.ts'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import { useFeature } from '../../lib/settings.store.ts'
import { formatActLine, formatCause } from '../ledger/ledger.names.ts'
import { entriesTexts } from '../ledger/ledger.texts.ts'
import { ownEntryTexts as texts } from './money.texts.ts'
import { createTimeColumn } from '../../resources/time-column.ts'

export type OwnEntry = ReceivedOf<typeof listOwnEntries>['items'][number]

/** The cause of an own entry, with a link to the act line, the withdrawal, or the lead if the person may see it. */
function OwnCause({ entry }: { entry: OwnEntry }) {
  const hasLeads = useFeature('leads')
  const { cause_type: type, cause_id, lead, lead_id: leadId, act_id: actId, orderno, reason } = entry
  const id = String(cause_id)
  if (leadId !== null && hasLeads)
    return (
      <Link to="/leads" search={{ id }}>
        <TruncatedText text={lead ?? id} />
      </Link>
    )
  if (actId !== null && orderno !== null)
    return (
      <Link to="/money" search={{ tab: 'acts', act_id: String(actId), search: orderno }}>
        <TruncatedText text={formatActLine(orderno)} />
      </Link>
    )
  if (type === 'withdrawal')
    return (
      <Link to="/money" search={{ tab: 'withdrawals', withdrawal_id: id }}>
        {formatCause(entry)}
      </Link>
    )
  if (reason !== null)
    return <TruncatedText text={texts.adjustment({ cause: formatCause(entry), reason })} isWide />
  return lead === null ? formatCause(entry) : <TruncatedText text={lead} />
}

/** The columns of own entries. Times are in the time zone `zone`. */
export function createOwnEntryColumns(zone: string): Column<OwnEntry>[] {
  const { columns } = texts
  return [
    createTimeColumn('created_at', columns.created_at, zone),
    {
      key: 'amount',
      header: columns.amount,
      cell: (row) => formatAmount(row.amount, row.currency),
      align: 'end',
    },
    { key: 'cause', header: columns.cause, cell: (row) => <OwnCause entry={row} />, phone: 'line' },
    {
      key: 'available_on',
      header: columns.available_on,
      cell: (row) =>
        row.on_hold && row.available_on === null ? entriesTexts.unknownDay : formatDay(row.available_on),
      nowrap: true,
      phone: 'line',
    },
  ]
}
