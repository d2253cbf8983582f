import type { LedgerAccount, LedgerEntry } from '@karvon/contract/ledger/ledger.ts'
import { ledgerTexts as texts } from './ledger.texts.ts'

export const formatAccountKind = (kind: string): string => texts.kinds[kind] ?? kind

/** An account by its kind, with the name of its owner: `Person: Aziz`. */
export function formatAccount({ account_kind, name }: Pick<LedgerAccount, 'account_kind' | 'name'>): string {
  const kind = formatAccountKind(account_kind)
  return name === null ? kind : texts.account({ kind, name })
}

/** What an entry was posted for: `Lead #12`. */
export const formatCause = ({ cause_kind, cause_id }: Pick<LedgerEntry, 'cause_kind' | 'cause_id'>): string =>
  texts.numbered({ name: texts.causes[cause_kind] ?? cause_kind, id: cause_id })
