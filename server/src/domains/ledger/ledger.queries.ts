import type { listLedgerAccounts, listLedgerEntries } from '@karvon/contract/ledger/ledger.ts'
import type { BalancePart, listOwnEntries } from '@karvon/contract/payouts/statements.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import { ownLeadCondition } from '../rollups/rollups.queries.ts'
import { parseAccountId } from './ledger.account-id.ts'

/** SQL of the name of the network, courier or person of an account. `row` has `account_kind` and `ref_id`. */
const accountName = (row: string) => `case ${row}.account_kind
  when 'network' then (select name from cpa_sources where id = ${row}.ref_id)
  when 'courier' then (select name from courier_accounts where id = ${row}.ref_id)
  when 'person' then (select name from users where id = ${row}.ref_id) end`

const sums = `select account_kind, ref_id, currency, amount, entries from ledger_balances
  union all select account_kind, ref_id, currency, amount, entries from ledger_deltas`

/** SQL of the sums at a moment: whole UTC days, and the entries of its own day. `$n` is the moment. */
const buildSumsAt = (
  moment: string,
) => `select account_kind, ref_id, currency, amount, entries from ledger_days
    where day < (${moment}::timestamptz at time zone 'UTC')::date
  union all select account_kind, ref_id, currency, amount, entries from ledger_deltas
    where day < (${moment}::timestamptz at time zone 'UTC')::date
  union all select account_kind, ref_id, currency, amount, 1 from ledger_entries
    where created_at >= date_trunc('day', ${moment}::timestamptz at time zone 'UTC') at time zone 'UTC'
      and created_at <= ${moment}::timestamptz`

const holds = `select account_kind, ref_id, currency, amount from ledger_holds where available_on > current_date
  union all select account_kind, ref_id, currency, amount from ledger_deltas where available_on > current_date`

/** The accounts that have entries. */
export function buildAccountList(query: QueryOf<typeof listLedgerAccounts>): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  const where = new Where()
  const moment = query.at === undefined ? undefined : where.addParameter(query.at)
  // This is not in the condition of the list, so that only the sums of these accounts are read.
  const accounts = [
    ...(query.kind === undefined ? [] : [`account_kind = ${where.addParameter(query.kind)}`]),
    ...(query.ref_id === undefined ? [] : [`ref_id = ${where.addParameter(query.ref_id)}`]),
    ...(query.currency === undefined ? [] : [`currency = ${where.addParameter(query.currency)}`]),
  ]
  const scope = ['true', ...accounts].join(' and ')
  const columns = {
    id: 'a.id',
    kind: 'a.kind',
    name: 'a.name',
    currency: 'a.currency',
    balance: 'a.balance',
    on_hold: 'a.on_hold',
    entries: 'a.entries',
  }
  where.andEqual(columns, query).and('a.name ~* ?', pattern)
  return {
    table: 'accounts',
    alias: 'a',
    with: `holds as (select account_kind, ref_id, currency, sum(amount) as amount from (${holds}) h
        where ${moment === undefined ? scope : 'false'} group by 1, 2, 3),
      sums as (select account_kind, ref_id, currency, sum(amount) as balance, sum(entries)::bigint as entries
        from (${moment === undefined ? sums : buildSumsAt(moment)}) s where ${scope} group by 1, 2, 3),
      accounts as materialized (select s.account_kind || '-' || s.ref_id || '-' || s.currency as id, s.account_kind as kind,
        s.ref_id, ${accountName('s')} as name, s.currency, s.balance, coalesce(h.amount, 0) as on_hold, s.entries
        from sums s left join holds h using (account_kind, ref_id, currency))`,
    item: { columns: 'a.*' },
    where,
    scopeCondition: 'true',
    order: buildOrderBy({
      columns,
      sort: query.sort,
      defaultSort: 'id',
      tieBreaker: 'a.id',
      textKeys: ['name'],
    }),
    planning: 'values',
  }
}

/** A day of infinity is not known yet. */
const availability = `nullif(e.available_on, 'infinity') as available_on,
  coalesce(e.available_on > current_date, false) as on_hold`

/** The act and the order number of an entry `e` that was posted for an act line. */
const actLine = ['act_id', 'orderno']
  .map(
    (column) =>
      `case when e.cause_type = 'settlement_line' then (select ${column} from settlement_lines where id = e.cause_id) end
        as ${column}`,
  )
  .join(', ')

/** SQL: the entry `e` is of an account with a name. */
const accountNamed = `(e.account_kind, e.ref_id) in (
    select 'network', id from cpa_sources where name ~* ?
    union all select 'courier', id from courier_accounts where name ~* ?
    union all select 'person', id from users where name ~* ?)`

const entrySorts = { id: 'e.id', created_at: 'e.created_at' }

/** `amount` is the SQL of the amount that the list shows. */
const orderEntries = (sort: unknown, amount = 'e.amount') =>
  buildOrderBy({
    columns: { ...entrySorts, amount },
    sort,
    defaultSort: '-created_at',
    tieBreaker: 'e.id',
    notNullKeys: [...Object.keys(entrySorts), 'amount'],
  })

/**
 * SQL of the number of entries of accounts, from the sums. `condition` is about the account columns of `e`.
 */
const countOfAccounts = (condition: string) =>
  `(select coalesce(sum(e.entries), 0) from (${sums}) e where ${condition})`

/** Adds the condition of the entries of a statement. Each value is a parameter of the index of accounts. */
function filterStatement(where: Where, id: number | undefined): void {
  if (id === undefined) return
  const statement = where.addParameter(id)
  const selectColumn = (column: string) => `(select ${column} from statements where id = ${statement})`
  where.and(`e.account_kind = 'person' and e.ref_id = ${selectColumn('user_id')} and e.currency = ${selectColumn('currency')}
    and e.created_at >= ${selectColumn('starts_at')} and e.created_at < ${selectColumn('ends_at')}`)
}

/** All entries. The numbers of all and of those of accounts are known, others are counted. */
export function buildEntryList(query: QueryOf<typeof listLedgerEntries>): ListDeclaration {
  const account = query.account_id === undefined ? undefined : parseAccountId(query.account_id)
  const pattern = toSearchPattern(query.search)
  const where = new Where()
    .and(
      'e.account_kind = ? and e.ref_id = ? and e.currency = ?',
      account?.account_kind,
      account?.ref_id,
      account?.currency,
    )
    .and('e.account_kind = ?', query.kind)
    .and('e.ref_id = ?', query.ref_id)
    .and('e.currency = ?', query.currency)
  const accountCondition = where.toString()
  where
    .and('e.cause_type = ?', query.cause_type)
    .and('e.cause_id = ?', query.cause_id)
    .andEqual({ ...entrySorts, amount: 'e.amount' }, query)
    .and(accountNamed, pattern, pattern, pattern)
    .andDays('e.created_at', query)
  filterStatement(where, query.statement_id)
  const total = `(select entries from ledger_entry_count) + (select coalesce(sum(entries), 0) from ledger_deltas)`
  const condition = where.toString()
  const filteredCountSql =
    condition === accountCondition
      ? condition === 'true'
        ? total
        : countOfAccounts(condition)
      : `(select count(*) from ledger_entries e where ${condition})`
  return {
    table: 'ledger_entries',
    alias: 'e',
    item: {
      columns: `e.id, e.created_at, e.account_kind || '-' || e.ref_id || '-' || e.currency as account_id,
        e.account_kind as kind, e.ref_id, ${accountName('e')} as name, e.currency, e.amount, e.cause_type, e.cause_id,
        ${actLine}, ${availability}`,
    },
    where,
    counts: {
      text: `select (${total})::bigint as total, (${filteredCountSql})::bigint as filtered`,
      values: where.values,
    },
    order: orderEntries(query.sort),
    planning: 'values',
  }
}

/** The entries that a figure of the balance consists of. */
const partConditions: Readonly<Record<BalancePart, string>> = {
  earned: `e.cause_type <> 'withdrawal'`,
  on_hold: 'e.available_on > current_date',
  available: 'coalesce(e.available_on <= current_date, true)',
}

/** SQL: a text that the person reads in the entry `e` is found. */
const ownEntryFound = `case e.cause_type
  when 'lead' then exists (select from leads f where f.id = e.cause_id and f.external_id ~* ?)
  when 'settlement_line' then exists (select from settlement_lines f where f.id = e.cause_id and f.orderno ~* ?)
  when 'adjustment' then exists (select from ledger_adjustments f where f.id = e.cause_id and f.reason ~* ?)
  else false end`

/**
 * The entries of a person's account, with the sign of what the person earned. `viewer` gets the ids of leads
 * that they may see, null gets all.
 */
export function buildOwnEntryList(
  query: QueryOf<typeof listOwnEntries>,
  { userId, viewer }: { userId: number; viewer: Viewer | null },
): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  const where = new Where().and(`e.account_kind = 'person' and e.ref_id = ?`, userId)
  const scopeCondition = where.toString()
  where.and('e.currency = ?', query.currency)
  const accountCondition = where.toString()
  where.andDays('e.created_at', query)
  where
    .andEqual({ ...entrySorts, amount: '-e.amount' }, query)
    .and('e.cause_type = ?', query.cause_type)
    .and('e.cause_id = ?', query.cause_id)
    .and(ownEntryFound, pattern, pattern, pattern)
  if (query.part !== undefined) where.and(partConditions[query.part])
  filterStatement(where, query.statement_id)
  const condition = where.toString()
  const filteredCountSql =
    condition === accountCondition
      ? countOfAccounts(condition)
      : `(select count(*) from ledger_entries e where ${condition})`
  const values = [...where.values]
  const visibleLead = viewer === null ? 'true' : ownLeadCondition(where, 'l', viewer)
  return {
    table: 'ledger_entries',
    alias: 'e',
    item: {
      columns: `e.id, e.created_at, e.currency, -e.amount as amount, e.cause_type, e.cause_id, ${availability},
        case when e.cause_type = 'lead' then (select external_id from leads where id = e.cause_id) end as lead,
        case when e.cause_type = 'lead' then (select l.id from leads l where l.id = e.cause_id and ${visibleLead}) end as lead_id,
        ${actLine},
        case when e.cause_type = 'adjustment' then (select reason from ledger_adjustments where id = e.cause_id) end as reason`,
    },
    where,
    scopeCondition,
    counts: {
      text: `select (${countOfAccounts(scopeCondition)})::bigint as total, (${filteredCountSql})::bigint as filtered`,
      values,
    },
    order: orderEntries(query.sort, '-e.amount'),
    planning: 'values',
  }
}
