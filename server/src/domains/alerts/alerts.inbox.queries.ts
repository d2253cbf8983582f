import type { AlertSnooze, listInbox } from '@karvon/contract/alerts/inbox.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import { maxInbox } from '@karvon/contract/lib/limits.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { joinOwnerSql, receiverSql } from './alerts.access.queries.ts'
import { amountCurrenciesSql } from './alerts.currencies.queries.ts'

/** SQL of the newest alerts of a person who gets them now. */
const inboxSql = (person: string) => `
  select a.id, a.incident_id, a.is_read, a.snoozed_until, i.rule_id, i.subject_kind, i.subject_id, i.subject_name,
    i.value, i.threshold, i.base, i.began_at, i.ended_at,
    i.ended_without_data, i.rule_values
  from alert_receivers a join alert_incidents i on i.id = a.incident_id
  join alert_rules r on r.id = i.rule_id ${joinOwnerSql('r')}
  join users u on u.id = a.user_id join roles ro on ro.id = u.role_id
  where a.user_id = ${person} and ${receiverSql('r', 'u', 'ro')}
  order by a.id desc limit ${maxInbox}`

const unreadSql = 'not x.is_read and coalesce(x.snoozed_until <= now(), true)'

/** SQL: the rule of the alert `x` as the row `r`, with the values that it had when the incident began. */
const ruleSql = `(select v.* from alert_rules a cross join lateral jsonb_populate_record(a, coalesce(x.rule_values, '{}')) v
    where a.id = x.rule_id) r`

const itemJson = (person: string, mainCurrency: string) => `json_build_object('id', x.incident_id,
  'rule', (select json_build_object('id', r.id, 'kind', r.kind, 'name', r.name, 'metric', r.metric, 'period', r.period,
    'condition', r.condition, 'against', r.against, 'source_ids', r.source_ids, 'offer_ids', r.offer_ids,
    'stream_ids', r.stream_ids, 'buyer_ids', r.buyer_ids,
    'muted', exists (select from alert_mutes m where m.rule_id = r.id and m.user_id = ${person}))
    from ${ruleSql}),
  'subject', json_build_object('id', x.subject_id, 'name', x.subject_name, 'kind', x.subject_kind),
  'value', x.value, 'threshold', x.threshold, 'base', x.base,
  'currencies', (select ${amountCurrenciesSql('x', mainCurrency)}
    from ${ruleSql} ${joinOwnerSql('r')}), 'began_at', x.began_at, 'ended_at', x.ended_at,
  'ended_without_data', x.ended_without_data,
  'is_read', x.is_read, 'snoozed_until', case when x.snoozed_until > now() then x.snoozed_until end)`

/** The inbox of a person. `search` matches the subject's name and the rule's. */
export function buildInbox(
  query: QueryOf<typeof listInbox>,
  { userId, currency }: { userId: number; currency: string },
): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  const where = new Where()
  const person = where.addParameter(userId)
  where
    .andEqual({ id: 'x.incident_id', began_at: 'x.began_at', ended_at: 'x.ended_at' }, query)
    .and('(x.ended_at is null) = ?', query.is_open)
    .and('x.is_read = ?', query.is_read)
    .and('x.rule_id = ?', query.rule_id)
    .and(
      '(x.subject_name ~* ? or exists (select from alert_rules r where r.id = x.rule_id and r.name ~* ?))',
      pattern,
      pattern,
    )
  const columns = { id: 'x.id', began_at: 'x.began_at', ended_at: 'x.ended_at' }
  return {
    table: 'inbox',
    alias: 'x',
    with: `inbox as materialized (${inboxSql(person)})`,
    item: { json: itemJson(person, where.addParameter(currency)) },
    where,
    scopeCondition: 'true',
    order: buildOrderBy({ columns, sort: query.sort, defaultSort: '-id', tieBreaker: 'x.id' }),
    extraMeta: `(select json_build_object('unread', count(*)) from inbox x where ${unreadSql})`,
  }
}

/** The number of a person's alerts that are neither read nor snoozed. */
export async function countUnread(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from alert_receivers a join alert_incidents i on i.id = a.incident_id
      join alert_rules r on r.id = i.rule_id ${sql.raw(joinOwnerSql('r'))}
      join users u on u.id = a.user_id join roles ro on ro.id = u.role_id
      where a.user_id = ${userId} and not a.is_read and coalesce(a.snoozed_until <= now(), true)
        and ${sql.raw(receiverSql('r', 'u', 'ro'))}
      limit ${maxInbox}) x`.execute(db)
  return rows[0]?.n ?? 0
}

/** Marks a person's alerts as read: those of the incidents, or all. */
export async function markRead(trx: Db, userId: number, ids: readonly number[] | undefined): Promise<void> {
  await sql`update alert_receivers set is_read = true where user_id = ${userId} and not is_read
    and (${ids === undefined}::boolean or incident_id = any(${ids ?? []}::bigint[]))`.execute(trx)
}

const snoozeEnds: Readonly<Record<AlertSnooze, ReturnType<typeof sql>>> = {
  hour: sql`now() + interval '1 hour'`,
  tomorrow: sql`(current_date + 1 + time '09:00')::timestamptz`,
  week: sql`now() + interval '7 days'`,
  off: sql`null`,
}

/**
 * Snoozes a person's alert. The time replaces that of earlier alerts about the same subject, which further incidents inherit.
 * Answers until when; undefined for an alert that the person does not get.
 */
export async function snooze(
  trx: Db,
  { incidentId, userId, until }: { incidentId: number; userId: number; until: AlertSnooze },
): Promise<string | null | undefined> {
  const { rows } = await sql<{ snoozed_until: string | null }>`
    with chosen as (
      select i.id, i.rule_id, i.subject_kind, i.subject_id
      from alert_receivers a join alert_incidents i on i.id = a.incident_id
      join alert_rules r on r.id = i.rule_id ${sql.raw(joinOwnerSql('r'))}
      join users u on u.id = a.user_id join roles ro on ro.id = u.role_id
      where a.incident_id = ${incidentId} and a.user_id = ${userId} and ${sql.raw(receiverSql('r', 'u', 'ro'))}
    )
    update alert_receivers a set snoozed_until = ${snoozeEnds[until]}
    from chosen c join alert_incidents i using (rule_id, subject_kind, subject_id)
    where a.incident_id = i.id and a.user_id = ${userId} and (i.id = c.id or a.snoozed_until > now())
    returning a.snoozed_until`.execute(trx)
  return rows[0]?.snoozed_until
}
