import { sql } from 'kysely'
import type { Db } from '../platform/database/pool.ts'

interface DemoAccount {
  credentialId: number
  sourceId: number
  userId: number
}

/**
 * Stores what the network of the demo listed before the demo was opened: a credit for each sold lead of the person, a
 * payment each week, and one difference of each kind. All that the network owed until now is paid out.
 */
export async function createNetworkHistory(trx: Db, account: DemoAccount): Promise<void> {
  await storeCredits(trx, account)
  await storeOtherEntries(trx, account)
  await storeWithdrawals(trx, account)
}

/** One sold lead is not credited, one with another amount. One rejected lead and one unknown order are credited. */
async function storeCredits(trx: Db, { credentialId, sourceId, userId }: DemoAccount): Promise<void> {
  await sql`
    with lead as (
      select l.*, t.code, row_number() over (partition by t.code order by l.updated_at desc, l.id) as number
      from leads l
      join streams s on s.id = l.stream_id and s.user_id = ${userId}
      join statuses st on st.id = l.status_id
      join status_types t on t.id = st.type_id and t.code in ('sold', 'cancel')
      where l.source_id = ${sourceId}
    )
    insert into network_transactions (source_credential_id, source_id, kind, key, amount, currency, type, target_kind,
      target_type, target_id, lead_id, created_at)
    select ${credentialId}::bigint, ${sourceId}::bigint, 'transaction', 'demo:' || external_id,
      case when code = 'sold' and number = 5 then payout - 5000 else payout end, currency, 'credit', 'order', 'order',
      external_id, id, updated_at
    from lead where code = 'sold' and number <> 3 or code = 'cancel' and number = 1
    union all
    select ${credentialId}, ${sourceId}, 'transaction', 'demo:unknown', payout, currency, 'credit', 'order', 'order',
      '899999', null, updated_at
    from lead where code = 'sold' and number = 1`.execute(trx)
}

/** A bonus and a penalty, and a withdrawal that is not in the list of withdrawals. They sum to 0. */
async function storeOtherEntries(trx: Db, { credentialId, sourceId }: DemoAccount): Promise<void> {
  await sql`
    insert into network_transactions (source_credential_id, source_id, kind, key, amount, currency, type, target_kind,
      target_type, target_id, comment, created_at)
    select ${credentialId}::bigint, ${sourceId}::bigint, 'transaction', 'demo:' || key, amount, 'UZS', type, kind,
      target_type, target_id, comment, now() - make_interval(days => days)
    from (values
      ('bonus', 65000, 'credit', 'other', null, null, 'Bonus of the month', 9),
      ('penalty', -15000, 'debit', 'other', null, null, 'Penalty for spam', 6),
      ('unseen', -50000, 'debit', 'withdrawal', 'withdraw', '7099', 'To a card', 4)
    ) entry (key, amount, type, kind, target_type, target_id, comment, days)`.execute(trx)
}

/** A paid withdrawal for the orders of each week, with its entry of the account and of the ledger. */
async function storeWithdrawals(trx: Db, { credentialId, sourceId }: DemoAccount): Promise<void> {
  await sql`
    with week as (
      select row_number() over (order by max(created_at)) + 7000 as number, sum(amount) as amount, currency,
        max(created_at) as at
      from network_transactions where source_credential_id = ${credentialId} and target_kind = 'order'
      group by date_trunc('week', created_at), currency
    ),
    debits as (
      insert into network_transactions (source_credential_id, source_id, kind, key, amount, currency, type, target_kind,
        target_type, target_id, created_at)
      select ${credentialId}, ${sourceId}, 'transaction', 'demo:paid-' || number, -amount, currency, 'debit',
        'withdrawal', 'withdraw', number::text, at
      from week
    ),
    paid as (
      insert into network_transactions (source_credential_id, source_id, kind, key, amount, currency, account, status,
        is_paid, created_at)
      select ${credentialId}, ${sourceId}, 'withdrawal', 'id:' || number, amount, currency, '•••• 9012', 'paid', true, at
      from week
      returning id, source_id, currency, amount
    )
    select post_ledger_entries('network_transaction', array_agg(distinct p.id),
      array_agg(row(p.id, e.kind, e.account, p.currency, e.amount, null)::ledger_target))
    from paid p cross join lateral (values
      ('network', p.source_id, -p.amount), ('paid', 0::bigint, p.amount)
    ) e (kind, account, amount)`.execute(trx)
}
