import { sql } from 'kysely'
import type { AccountKind } from '@karvon/contract/ledger/ledger.ts'
import type { CauseType } from '@karvon/contract/lib/money.ts'
import type { Db } from '../../platform/database/pool.ts'

/** An entry that a cause should have. `amount`: a decimal text or a number. `availableOn`: a day. */
export interface LedgerTarget {
  causeId: number
  accountKind: AccountKind
  /** 0 for the kinds without accounts of their own. */
  refId: number
  currency: string
  amount: string | number
  availableOn?: string | null
}

interface Posting {
  causeType: CauseType
  /** All causes to post, also those without a target any more. */
  causeIds: readonly number[]
  targets: readonly LedgerTarget[]
}

/**
 * Posts the difference between the targets of causes and what is posted for them. The targets of a cause sum to 0 in
 * each currency, else the database throws. The caller holds a lock on each cause. Returns the number of new entries.
 */
export async function postLedgerEntries(trx: Db, posting: Posting): Promise<number> {
  const { causeType, causeIds, targets } = posting
  const column = <Value>(pick: (target: LedgerTarget) => Value) => targets.map(pick)
  const { rows } = await sql<{ posted: number }>`
    select post_ledger_entries(${causeType}, ${causeIds}::bigint[], coalesce((
      select array_agg(row(t.*)::ledger_target) from unnest(
        ${column((t) => t.causeId)}::bigint[], ${column((t) => t.accountKind)}::text[],
        ${column((t) => t.refId)}::bigint[], ${column((t) => t.currency)}::text[],
        ${column((t) => String(t.amount))}::numeric[], ${column((t) => t.availableOn ?? null)}::date[]
      ) t), '{}')) as posted`.execute(trx)
  return rows[0]?.posted ?? 0
}
