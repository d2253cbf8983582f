import { Link } from '@tanstack/react-router'
import type { SettlementDifference, SettlementKind } from '@karvon/contract/settlements/differences.ts'
import { Badge } from '../../components/display/badge.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatAmount } from '../../lib/format/money.format.ts'
import type { ListSearch } from '../../lib/table-state.ts'
import { actTexts, differenceTexts as texts } from './settlements.texts.ts'

/** 'all': the acts of the courier, for admins. 'own': their lines of own parcels. */
export type SettlementScope = 'all' | 'own'

/** The screen with the tab of acts. */
export const actPages = { all: '/settlements', own: '/money' } as const

/** The lines of an act. */
const getLinesSearch = (actId: number): ListSearch => ({ tab: 'acts', act_id: String(actId) })

type LinesLinkProps = { scope: SettlementScope; actId: number; text: string }

export function LinesLink({ scope, actId, text }: LinesLinkProps) {
  return (
    <Link to={actPages[scope]} search={getLinesSearch(actId)}>
      {text}
    </Link>
  )
}

type OrderLinkProps = { order: { orderno: string; parcel_id: number | null } }

/** An order number, with a link to its parcel if there is one. */
export function OrderLink({ order: { orderno, parcel_id: id } }: OrderLinkProps) {
  if (id === null) return <TruncatedText text={orderno} />
  return (
    <Link to="/parcels" search={{ period: 'any', search: orderno, id: String(id) }}>
      <TruncatedText text={orderno} />
    </Link>
  )
}

/** An amount that may be missing. */
export const formatOptionalAmount = (amount: number | null, currency: string): string =>
  amount === null ? actTexts.none : formatAmount(amount, currency)

export const formatKind = (kind: SettlementKind): string => texts.kinds[kind] ?? kind

export function DifferenceStatusBadge({ status }: Pick<SettlementDifference, 'status'>) {
  return <Badge tone={status === 'open' ? 'wait' : 'ok'}>{texts.statuses[status]}</Badge>
}
