import type pg from 'pg'

/** A comparison of the ledger with what it must equal, and how many rows differ. */
interface LedgerComparison {
  /** What differs, for a message: "leads whose entries are not those of their state". */
  description: string
  differing: number
}

const key = 'account_kind, ref_id, currency'

const sumsSql = (
  from: string,
) => `select ${key}, sum(amount) as amount, sum(entries) as entries from (${from}) s
  group by ${key}`

const comparisons: readonly { description: string; text: string }[] = [
  {
    description: 'causes whose entries do not sum to 0',
    text: `select count(*)::integer as differing from (
      select from ledger_entries group by cause_type, cause_id, currency having sum(amount) <> 0) c`,
  },
  {
    description: 'accounts whose balance is not the sum of their entries',
    text: `select count(*)::integer as differing from (${sumsSql(
      `select ${key}, amount, entries from ledger_balances union all select ${key}, amount, entries from ledger_deltas`,
    )}) b full join (select ${key}, sum(amount) as amount, count(*) as entries from ledger_entries group by ${key}) e
      using (${key}) where (b.amount, b.entries) is distinct from (e.amount, e.entries)`,
  },
  {
    description: 'numbers of entries that are not those of the table',
    text: `select count(*)::integer as differing from ledger_entry_count c
      where c.entries + (select coalesce(sum(entries), 0) from ledger_deltas) <> (select count(*) from ledger_entries)`,
  },
  {
    description: 'days of accounts that are not the sum of their entries',
    text: `select count(*)::integer as differing from (
      select ${key}, day, sum(amount) as amount from (select ${key}, day, amount from ledger_days
        union all select ${key}, day, amount from ledger_deltas) s group by ${key}, day) b
      full join (select ${key}, (created_at at time zone 'UTC')::date as day, sum(amount) as amount from ledger_entries
        group by ${key}, 4) e using (${key}, day) where b.amount is distinct from e.amount`,
  },
  {
    description: 'days on which money becomes available that are not the sum of their entries',
    text: `select count(*)::integer as differing from (
      select ${key}, available_on, sum(amount) as amount from (select ${key}, available_on, amount from ledger_holds
        union all select ${key}, available_on, amount from ledger_deltas where available_on is not null) s
        group by ${key}, available_on) b
      full join (select ${key}, available_on, sum(amount) as amount from ledger_entries where available_on is not null
        group by ${key}, available_on) e using (${key}, available_on) where b.amount is distinct from e.amount`,
  },
  {
    description: 'act lines whose entries are not what is due for them',
    text: `select count(*)::integer as differing from
      (select id, case when removed_at is null then due else 0 end as amount from settlement_lines) l
      full join (select cause_id as id, sum(amount) as amount from ledger_entries
        where cause_type = 'settlement_line' and account_kind = 'courier' group by 1) e using (id)
      where coalesce(l.amount, 0) <> coalesce(e.amount, 0)`,
  },
  {
    description: 'act lines whose money is not that of the owner of their parcel',
    text: `select count(*)::integer as differing from
      (select l.id, case when p.owner_id is null then 'unassigned' else 'person' end as account_kind,
          coalesce(p.owner_id, 0) as ref_id, -l.due as amount
        from settlement_lines l left join parcels p on p.id = l.parcel_id where l.removed_at is null and l.due <> 0) l
      full join (select cause_id as id, account_kind, ref_id, sum(amount) as amount from ledger_entries
        where cause_type = 'settlement_line' and account_kind <> 'courier' group by 1, 2, 3 having sum(amount) <> 0) e
        using (id, account_kind, ref_id)
      where l.amount is distinct from e.amount`,
  },
  {
    description: 'acts whose entries are not their correction and payment',
    text: `select count(*)::integer as differing from
      (select id, -correction - case when paid_at is null then 0 else due end as amount from settlement_acts) a
      full join (select cause_id as id, sum(amount) as amount from ledger_entries
        where cause_type = 'settlement_act' and account_kind = 'courier' group by 1) e using (id)
      where coalesce(a.amount, 0) <> coalesce(e.amount, 0)`,
  },
  {
    description: 'entries that differ from their adjustments and paid withdrawals',
    text: `select count(*)::integer as differing from (
      select cause_type, cause_id, account_kind, ref_id, currency from (
        select 'adjustment' as cause_type, id as cause_id, ${key}, amount from ledger_adjustments
        union all select 'adjustment', id, 'adjustments', 0, currency, -amount from ledger_adjustments
        union all select 'withdrawal', id, 'person', user_id, currency, amount from withdrawals where status = 'paid'
        union all select 'withdrawal', id, 'paid', 0, currency, -amount from withdrawals where status = 'paid'
        union all select cause_type, cause_id, ${key}, -amount from ledger_entries
          where cause_type in ('adjustment', 'withdrawal')
      ) difference group by 1, 2, 3, 4, 5 having sum(amount) <> 0
    ) d`,
  },
  {
    description:
      'payment registries that differ from their payments, or from the withdrawals that are sent with them',
    text: `select count(*)::integer as differing from payment_registries r
      where payments <> (select count(*) from registry_payments where registry_id = r.id)
        or amount is distinct from (select sum(amount) from registry_payments where registry_id = r.id)
        or exists (select from withdrawals w left join registry_payments p
          on p.registry_id = r.id and p.withdrawal_id = w.id and p.refused_at is null
          where w.registry_id = r.id and (w.amount, w.currency) is distinct from (p.amount, r.currency))`,
  },
  {
    description: 'entries of leads that do not exist',
    text: `select count(*)::integer as differing from ledger_entries e
      where cause_type = 'lead' and not exists (select from leads where id = e.cause_id)`,
  },
  {
    description: 'withdrawals of networks that are paid but not posted, or posted but not paid',
    text: `select count(*)::integer as differing from
      (select id, amount, currency, source_id from network_transactions
        where kind = 'withdrawal' and is_paid and amount <> 0) w
      full join (select cause_id as id, -sum(amount) as amount, currency, ref_id as source_id from ledger_entries
        where cause_type = 'network_transaction' and account_kind = 'network' group by 1, 3, 4 having sum(amount) <> 0) e
        using (id, currency, source_id)
      where w.amount is distinct from e.amount`,
  },
]

/** Batches of ids keep the arrays of `lead_ledger_targets` small. Leads that wait for the job are left out. */
const leadsSql = `
  with batches as (
    select array_agg(id) as ids from leads
    where not exists (select from lead_posting_queue q where (q.status_id is null or q.status_id = leads.status_id)
      and (q.stream_id is null or q.stream_id = leads.stream_id))
    group by id / 10000
  )
  select coalesce(sum(d.differing), 0)::integer as differing from batches cross join lateral (
    select count(*) as differing from (
      select from (
        select cause_id, account_kind, ref_id, currency, available_on, amount from lead_ledger_targets(batches.ids)
        union all
        select cause_id, account_kind, ref_id, currency, available_on, -amount from ledger_entries
        where cause_type = 'lead' and cause_id = any (batches.ids)
      ) difference
      group by cause_id, account_kind, ref_id, currency, available_on having sum(amount) <> 0
    ) x
  ) d`

export async function compareLedger(client: pg.ClientBase): Promise<LedgerComparison[]> {
  const results: LedgerComparison[] = []
  const allComparisons = [
    ...comparisons,
    { description: 'entries of leads that are not those of their state', text: leadsSql },
  ]
  for (const { description, text } of allComparisons) {
    const { rows } = await client.query<{ differing: number }>(text)
    results.push({ description, differing: rows[0]?.differing ?? 0 })
  }
  return results
}

export async function countEntries(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ entries: number }>('select count(*) as entries from ledger_entries')
  return rows[0]?.entries ?? 0
}

/** The changes whose leads the job has not posted yet. `compareLedger` leaves these leads out. */
export async function countQueuedPostings(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ queued: number }>('select count(*) as queued from lead_posting_queue')
  return rows[0]?.queued ?? 0
}
