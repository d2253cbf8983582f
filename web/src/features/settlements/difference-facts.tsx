import type { SettlementDifferenceWithNotes } from '@karvon/contract/settlements/differences.ts'
import { Badge } from '../../components/display/badge.tsx'
import { Facts } from '../../components/display/timeline.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import {
  DifferenceStatusBadge,
  formatKind,
  formatOptionalAmount,
  LinesLink,
  OrderLink,
} from './settlements.cells.tsx'
import { actTexts, differenceTexts as texts } from './settlements.texts.ts'

/** What a difference is about, and how it was resolved. */
export function DifferenceFacts({ difference: row }: { difference: SettlementDifferenceWithNotes }) {
  const { time_zone: zone } = useSettings()
  const { columns, none } = texts
  return (
    <Facts
      facts={[
        { name: columns.status, value: <DifferenceStatusBadge status={row.status} /> },
        { name: columns.kind, value: formatKind(row.kind) },
        { name: columns.orderno, value: <OrderLink order={row} /> },
        { name: columns.courier_account, value: row.courier_account.name },
        {
          name: columns.act,
          value: row.act === null ? none : <LinesLink scope="all" actId={row.act.id} text={row.act.number} />,
        },
        ...(row.settled_by ? [{ name: columns.settled_by, value: <SettledBy act={row.settled_by} /> }] : []),
        { name: columns.expected, value: formatOptionalAmount(row.expected, row.currency) },
        { name: columns.actual, value: formatOptionalAmount(row.actual, row.currency) },
        { name: columns.difference, value: formatAmount(row.difference, row.currency) },
        { name: columns.created_at, value: formatDateTime(row.created_at, zone) },
        ...(row.reason === null ? [] : [{ name: columns.reason, value: row.reason }]),
        ...(row.resolved_by === null ? [] : [{ name: columns.resolved_by, value: row.resolved_by.name }]),
        ...(row.resolved_at === null
          ? []
          : [{ name: columns.resolved_at, value: formatDateTime(row.resolved_at, zone) }]),
      ]}
    />
  )
}

type SettledByProps = { act: NonNullable<SettlementDifferenceWithNotes['settled_by']> }

/** The act that settled the parcel before. The courier may have issued it again as the act of the difference. */
function SettledBy({ act }: SettledByProps) {
  return (
    <>
      <LinesLink scope="all" actId={act.id} text={act.number} />{' '}
      {act.unlisted_at && <Badge tone="bad">{actTexts.unlisted}</Badge>}
    </>
  )
}
