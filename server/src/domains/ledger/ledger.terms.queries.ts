import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { lockStatusesExclusive } from '../leads/leads.status-lock.queries.ts'

/** The person and the offer of payout terms, null for all, and their first day. */
interface TermsScope {
  user_id: number | null
  offer_id: number | null
  valid_from: string
}

/**
 * Whether payout terms concern leads that are stored. A lead can be of a later day than today. Blocks writers of leads until
 * the end of the transaction, so that no lead is stored meanwhile.
 */
export async function hasStoredLeadsOfTerms(
  trx: Db,
  { user_id, offer_id, valid_from }: TermsScope,
): Promise<boolean> {
  await lockStatusesExclusive(trx)
  const ofOffer = offer_id === null ? sql`` : sql`and l.offer_id = ${offer_id}`
  // The time of a lead is less than two days before its day in any time zone. It uses the indexes by time.
  const since = sql`l.day >= ${valid_from}::date and l.created_at >= ${valid_from}::date - 2 ${ofOffer}`
  // A person who has earned a lead keeps it when its stream gets another owner.
  const ownLeads =
    user_id === null
      ? sql`select from leads l where ${since} and (
          exists (select from streams s where s.id = l.stream_id and s.user_id is not null)
          or exists (select from ledger_entries e
            where e.cause_type = 'lead' and e.cause_id = l.id and e.account_kind = 'person'))`
      : sql`select from streams s join leads l on l.stream_id = s.id where s.user_id = ${user_id} and ${since}
        union all
        select from ledger_entries e join leads l on l.id = e.cause_id
        where e.account_kind = 'person' and e.ref_id = ${user_id} and e.cause_type = 'lead' and ${since}`
  const { rows } = await sql<{ found: boolean }>`select exists (${ownLeads}) as found`.execute(trx)
  return rows[0]?.found === true
}
