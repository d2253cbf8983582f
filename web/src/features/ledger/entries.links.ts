import type { LedgerAccount, LedgerEntry } from '@karvon/contract/ledger/ledger.ts'
import type { ListSearch } from '../../lib/table-state.ts'

/** No entry is older. The filter of a period needs both ends. */
export const firstLedgerDay = '2000-01-01'

/** The entries of an account. `lastDay`: none after this day. */
export const getAccountSearch = (
  { account_kind, account_id, currency }: Pick<LedgerAccount, 'account_kind' | 'account_id' | 'currency'>,
  lastDay?: string,
): ListSearch => ({
  tab: 'entries',
  account_kind,
  account_id: String(account_id),
  currency,
  ...(lastDay !== undefined && { from: firstLedgerDay, to: lastDay }),
})

/** All entries of a cause. */
export const getCauseSearch = ({
  cause_kind,
  cause_id,
}: Pick<LedgerEntry, 'cause_kind' | 'cause_id'>): ListSearch => ({
  tab: 'entries',
  cause_kind,
  cause_id: String(cause_id),
})
