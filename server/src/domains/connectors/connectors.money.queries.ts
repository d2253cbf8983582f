import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { NetworkTransaction } from './connectors.parse.money.ts'

/** A stored row. `amount`: a decimal text. */
export interface StoredTransaction {
  id: number
  source_id: number
  amount: string
  currency: string
  is_paid: boolean
}

interface TransactionsList {
  credentialId: number
  sourceId: number
  kind: 'transaction' | 'withdrawal'
}

interface TransactionsPage extends TransactionsList {
  currency: string
  /** Stores the time of the reading also in rows that do not change, which are answered too. */
  marksKnownRows: boolean
  /** By their keys. */
  rows: ReadonlyMap<string, NetworkTransaction>
}

/** Inserts and updates rows of an account's money, in the order of their keys. Answers the rows that changed. */
export async function storeTransactions(trx: Db, page: TransactionsPage): Promise<StoredTransaction[]> {
  const { credentialId, sourceId, kind, currency, marksKnownRows } = page
  const keys = [...page.rows.keys()]
  const mapRows = <T>(pick: (row: NetworkTransaction) => T) => [...page.rows.values()].map(pick)
  const { rows } = await sql<StoredTransaction>`
    insert into network_transactions as n (source_credential_id, source_id, kind, currency, key, amount, type,
      target_kind, target_type, target_id, lead_id, comment, account, status, is_paid, created_at)
    select ${credentialId}::bigint, ${sourceId}::bigint, ${kind}::text, ${currency}::text, t.key, t.amount, t.type,
      t.target_kind, t.target_type, t.target_id, l.id, t.comment, t.account, t.status, t.is_paid,
      t.created_at::timestamptz
    from unnest(${keys}::text[], ${mapRows((t) => t.amount)}::numeric[], ${mapRows((t) => t.type)}::text[],
      ${mapRows((t) => t.target_kind)}::text[], ${mapRows((t) => t.target_type)}::text[], ${mapRows((t) => t.target_id)}::text[],
      ${mapRows((t) => t.comment)}::text[], ${mapRows((t) => t.account)}::text[], ${mapRows((t) => t.status)}::text[],
      ${mapRows((t) => t.is_paid)}::boolean[], ${mapRows((t) => t.created_at)}::text[]
    ) as t (key, amount, type, target_kind, target_type, target_id, comment, account, status, is_paid, created_at)
    left join leads l on t.target_kind = 'order' and l.source_id = ${sourceId} and l.external_id = t.target_id
    order by t.key
    on conflict (source_credential_id, source_id, kind, key) do update set amount = excluded.amount,
      currency = excluded.currency, type = excluded.type, target_kind = excluded.target_kind,
      target_type = excluded.target_type, target_id = excluded.target_id, lead_id = excluded.lead_id,
      comment = excluded.comment, account = excluded.account, status = excluded.status, is_paid = excluded.is_paid,
      created_at = excluded.created_at, read_at = now()
    where ${marksKnownRows}::boolean or (n.amount, n.currency, n.type, n.target_kind, n.target_type, n.target_id, n.comment, n.account, n.status,
      n.is_paid, n.created_at) is distinct from (excluded.amount, excluded.currency, excluded.type,
      excluded.target_kind, excluded.target_type, excluded.target_id, excluded.comment, excluded.account,
      excluded.status, excluded.is_paid, excluded.created_at)
    returning id, source_id, amount::text, currency, is_paid`.execute(trx)
  return rows
}

/** Finds the leads of transactions that were read before their leads. */
export async function matchTransactions(db: Db, credentialId: number): Promise<void> {
  await sql`
    update network_transactions n set lead_id = l.id from leads l
    where n.source_credential_id = ${credentialId} and n.target_kind = 'order' and n.lead_id is null
      and l.source_id = n.source_id and l.external_id = n.target_id`.execute(db)
}

/**
 * Locks rows without an id that a scan since `startedAt` did not find, and answers their ids, `limit` at most. Rows that are more than a day
 * older than the oldest row of the scan stay: the network may list newer rows only.
 */
export async function lockFormerRows(
  trx: Db,
  { credentialId, sourceId, kind, startedAt, limit }: TransactionsList & { startedAt: string; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with listed as materialized (
      select min(created_at) - interval '1 day' as since from network_transactions
      where source_credential_id = ${credentialId} and source_id = ${sourceId} and kind = ${kind}
        and read_at >= ${startedAt}::timestamptz
    )
    select n.id from network_transactions n join listed on n.created_at >= listed.since
    where n.source_credential_id = ${credentialId} and n.source_id = ${sourceId} and n.kind = ${kind}
      and n.key like 'row:%' and n.read_at < ${startedAt}::timestamptz
    order by n.key limit ${limit} for update of n`.execute(trx)
  return rows.map(({ id }) => id)
}

export async function deleteTransactions(trx: Db, ids: readonly number[]): Promise<void> {
  await sql`delete from network_transactions where id = any(${ids}::bigint[])`.execute(trx)
}
