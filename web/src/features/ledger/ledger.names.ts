import type { LedgerAccount, LedgerEntry } from '@karvon/contract/ledger/ledger.ts'
import { ledgerTexts as texts } from './ledger.texts.ts'

export const formatAccountKind = (kind: string): string => texts.kinds[kind] ?? kind

/** An account by its kind, with the name of its owner: `Person: Aziz`. */
export function formatAccount({ kind, name }: Pick<LedgerAccount, 'kind' | 'name'>): string {
  const label = formatAccountKind(kind)
  return name === null ? label : texts.account({ kind: label, name })
}

/** The line of an order in a settlement act. */
export const formatActLine = (orderno: string): string => texts.actLine({ orderno })

/** What an entry was posted for: `Lead #12`. */
export const formatCause = ({ cause_type, cause_id }: Pick<LedgerEntry, 'cause_type' | 'cause_id'>): string =>
  texts.numbered({ name: texts.causes[cause_type] ?? cause_type, id: cause_id })
