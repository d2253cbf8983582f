import type { LedgerAccount, LedgerEntry } from '@karvon/contract/ledger/ledger.ts'
import type { DateRangeValue } from '@karvon/contract/lib/day-ranges.ts'
import type { ListSearch } from '../../lib/table-state.ts'

/** No entry is older. */
export const firstLedgerDay = '2000-01-01'

/** The entries of an account, all or those of a period. */
export const getAccountSearch = (
  { kind, ref_id, currency }: Pick<LedgerAccount, 'kind' | 'ref_id' | 'currency'>,
  period?: DateRangeValue,
): ListSearch => ({
  tab: 'entries',
  kind,
  ref_id: String(ref_id),
  currency,
  ...(period && { from: period.start, to: period.end }),
})

/** All entries of a cause. */
export const getCauseSearch = ({
  cause_type,
  cause_id,
}: Pick<LedgerEntry, 'cause_type' | 'cause_id'>): ListSearch => ({
  tab: 'entries',
  cause_type,
  cause_id: String(cause_id),
})
