/** Entries of two years: 5 networks and 50 people, of whom one has a fourteenth of the entries. */
const ledgerShape = { days: 730, sources: 5, people: 50 } as const
/** Fixed days, so that the generated entries are always the same. */
const firstDay = '2024-11-21'

export const accountStatements: readonly string[] = [
  `insert into cpa_sources (name, url)
    select 'Source ' || n, 'https://source-' || n || '.example' from generate_series(1, ${ledgerShape.sources}) n`,
  `insert into roles (name, code) values ('Media buyer', 'buyer')`,
  `insert into users (username, name, email, password_hash, role_id)
    select 'buyer' || n, 'Buyer ' || n, 'buyer' || n || '@example.com', a.password_hash, r.id
    from generate_series(1, ${ledgerShape.people}) n, roles r, users a
    where r.code = 'buyer' and a.username = 'admin' order by n`,
]

/**
 * Inserts the entries of the causes numbered $1 to $2 of $3 in all, the oldest first. Two entries a cause: what a network
 * owes, and what a person is owed, which is on hold for two weeks. One of ten is a return. $4: the ids of the people.
 */
export const entriesSql = `
  insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount, available_on, created_at)
  select 'lead', n, kind, ref_id, 'UZS', sign * amount::numeric / 100,
    case when kind = 'person' then created_at::date + 14 end, created_at
  from (
    select n, case when n % 10 = 0 then -1 else 1 end * (500000 + (n * 7919) % 20000000) as amount,
      1 + n % ${ledgerShape.sources} as source,
      ($4::bigint[])[1 + case when n % 20 = 1 then 0 else n * 31 % ${ledgerShape.people} end] as person,
      '${firstDay}'::timestamptz + (n - 1)::float8 / $3::bigint * ${ledgerShape.days} * interval '24 hours' as created_at
    from generate_series($1::bigint, $2::bigint) n
  ) c cross join lateral (values ('network', c.source::bigint, 1), ('person', c.person, -1)) account (kind, ref_id, sign)`

const key = 'account_kind, ref_id, currency'

/** Writes the sums that triggers and the job would have written. */
export const sumStatements: readonly string[] = [
  `insert into ledger_days (${key}, day, amount, entries)
    select ${key}, (created_at at time zone 'UTC')::date, sum(amount), count(*) from ledger_entries group by ${key}, 4`,
  `insert into ledger_balances (${key}, amount, entries)
    select ${key}, sum(amount), sum(entries) from ledger_days group by ${key}`,
  `insert into ledger_holds (${key}, available_on, amount)
    select ${key}, available_on, sum(amount) from ledger_entries where available_on is not null group by ${key}, 4`,
  'update ledger_entry_count set entries = (select sum(entries) from ledger_balances)',
]

/** Pairs of opposite deltas: every balance reads them, and no figure changes. $1: their number. */
export const ledgerDeltasSql = `
  insert into ledger_deltas (${key}, day, available_on, amount, entries)
  select ${key}, day, day + 14, way * amount, way * entries from (
    select * from ledger_days where account_kind = 'person' order by day desc, ref_id limit $1 / 2) d
  cross join (values (1), (-1)) ways (way)`

export const balanceRecountSql = `
  select -sum(amount) as balance from ledger_entries where account_kind = 'person' and ref_id = $1
    and created_at <= coalesce($2::timestamptz, 'infinity')`
