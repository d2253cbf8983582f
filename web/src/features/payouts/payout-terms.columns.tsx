import type { PayoutTerms } from '@karvon/contract/payouts/payout-terms.ts'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatAmount, formatMoney } from '../../lib/format/money.format.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import { payoutTermsTexts as texts } from './payout-terms.texts.ts'
import { createTimeColumn } from '../../resources/time-column.ts'

/** Whom and what terms are for: `Aziz, All offers`. */
export const formatTermsScope = ({ user, offer }: PayoutTerms): string =>
  texts.of({ who: user?.name ?? texts.everybody, what: offer?.name ?? texts.allOffers })

/** What a lead earns: a share of its payout, or an amount. Without a currency, the amount is in that of the lead. */
const formatEarnings = ({ share, fixed, currency }: PayoutTerms): string => {
  if (share !== null) return texts.share({ percent: formatNumber(share, undefined, '.') })
  return currency === null ? formatMoney(fixed ?? 0, '.') : formatAmount(fixed ?? 0, currency)
}

/** The columns of the payout terms. Times are in the time zone `zone`. */
export function createTermsColumns(zone: string): Column<PayoutTerms>[] {
  const { columns } = texts
  return [
    {
      key: 'user',
      header: columns.user,
      cell: (row) => <TruncatedText text={row.user?.name ?? texts.everybody} />,
    },
    {
      key: 'offer',
      header: columns.offer,
      cell: (row) => <TruncatedText text={row.offer?.name ?? texts.allOffers} />,
      phone: 'line',
    },
    {
      key: 'valid_from',
      header: columns.valid_from,
      cell: (row) => formatDay(row.valid_from),
      sortable: true,
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'earns',
      header: columns.earns,
      cell: formatEarnings,
      align: 'end',
      phone: 'line',
    },
    {
      key: 'earned_at',
      header: columns.earned_at,
      cell: (row) => texts.states[row.earned_at],
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'hold_days',
      header: columns.hold_days,
      cell: (row) => row.hold_days,
      align: 'end',
      phone: 'line',
    },
    {
      key: 'minimum',
      header: columns.minimum,
      cell: (row) => formatMoney(row.minimum, '.'),
      align: 'end',
      phone: 'line',
    },
    { ...createTimeColumn('created_at', columns.created_at, zone), spareBelow: 1100, phone: 'hidden' },
  ]
}
