import type {
  AlertFilter,
  AlertRuleBody,
  listAlertRules,
  RefusedAlertFilter,
} from '@karvon/contract/alerts/rules.ts'
import { adminCode } from '@karvon/contract/auth/auth.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import { sql } from 'kysely'
import { nextUpdatedAt } from '../../platform/database/conflict.ts'
import { dataLocks, lockGroups } from '../../platform/database/lock-keys.ts'
import type { Db } from '../../platform/database/pool.ts'
import { readItem } from '../../resources/lists.answer.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import { joinOwnerSql, ownerAccessSql, receiverSql } from './alerts.access.queries.ts'

/**
 * The JSON of the rule `r` for a person, without roles that were deleted. What a person may no longer see has no name: the sources, offers,
 * streams and buyers are named only if the owner may see them now.
 */
const buildRuleItem = (person: string): string => {
  const mayName = `(select ${ownerAccessSql('r', 'o', 'w')} from (select) x ${joinOwnerSql('r')})`
  const rows = (table: string, ids: string) => `coalesce(case when ${mayName}
    then (select json_agg(json_build_object('id', n.id, 'name', x.name) order by x.name, n.id)
      from unnest(r.${ids}) n (id) left join ${table} x on x.id = n.id)
    else (select json_agg(json_build_object('id', n.id, 'name', null)) from unnest(r.${ids}) n (id)) end, '[]')`
  return `json_build_object('id', r.id, 'kind', r.kind, 'name', r.name, 'owner', ${buildNamedJson('users', 'r.owner_id')},
  'is_active', r.is_active, 'metric', r.metric, 'period', r.period, 'condition', r.condition, 'against', r.against,
  'threshold', r.threshold, 'hold_minutes', r.hold_minutes, 'sources', ${rows('cpa_sources', 'source_ids')},
  'offers', ${rows('offers', 'offer_ids')}, 'streams', ${rows('streams', 'stream_ids')},
  'buyers', ${rows('users', 'buyer_ids')}, 'receiver_role_ids', array(select n.id
    from unnest(r.receiver_role_ids) with ordinality n (id, place) join roles x on x.id = n.id order by n.place),
  'muted', exists (select from alert_mutes m where m.rule_id = r.id and m.user_id = ${person}),
  'open', (select count(*) from alert_incidents i
    where i.rule_id = r.id and i.ended_at is null and i.began_at is not null),
  'created_at', r.created_at, 'updated_at', r.updated_at)`
}

export const readRule = (trx: Db, id: number, userId: number) =>
  readItem(
    trx,
    `select (${buildRuleItem(String(userId))})::text as item from alert_rules r where r.id = $1`,
    id,
  )

/** The list of a person's rules; of all rules for admins. */
export function buildRuleList(
  query: QueryOf<typeof listAlertRules>,
  { userId, isAdmin }: { userId: number; isAdmin: boolean },
): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  const where = new Where()
  if (!isAdmin) where.and('r.owner_id = ?', userId)
  const scopeCondition = where.toString()
  const item = { json: buildRuleItem(where.addParameter(userId)) }
  const columns = {
    id: 'r.id',
    name: 'r.name',
    kind: 'r.kind',
    is_active: 'r.is_active',
    created_at: 'r.created_at',
  }
  const unsortable = {
    owner_id: 'r.owner_id',
    metric: 'r.metric',
    period: 'r.period',
    condition: 'r.condition',
    against: 'r.against',
    threshold: 'r.threshold',
    hold_minutes: 'r.hold_minutes',
    updated_at: 'r.updated_at',
  }
  where.andEqual({ ...columns, ...unsortable }, query).and('r.name ~* ?', pattern)
  return {
    table: 'alert_rules',
    alias: 'r',
    item,
    where,
    scopeCondition,
    order: buildOrderBy({
      columns,
      sort: query.sort,
      defaultSort: 'id',
      tieBreaker: 'r.id',
      textKeys: ['name'],
    }),
  }
}

/**
 * The numbers of a person's rules and of all rules of people. Creations run one after the other, so that no
 * limit is exceeded. They do not lock the table: a change of a rule would wait for a creation, which waits
 * for an evaluation, which waits for the change.
 */
export async function lockRuleCounts(trx: Db, userId: number): Promise<{ own: number; all: number }> {
  await sql`select pg_advisory_xact_lock(${lockGroups.data}, ${dataLocks.alertRules})`.execute(trx)
  const { rows } = await sql<{ own: number; all: number }>`
    select (count(*) filter (where owner_id = ${userId}))::int as own, count(*)::int as all
    from alert_rules where owner_id is not null`.execute(trx)
  return rows[0] ?? { own: 0, all: 0 }
}

export type RuleValues = Omit<AlertRuleBody, 'kind' | RefusedAlertFilter>

export async function insertRule(
  trx: Db,
  body: RuleValues & Pick<AlertRuleBody, 'kind'>,
  ownerId: number,
): Promise<number> {
  const { id } = await trx
    .insertInto('alert_rules')
    .values({ ...body, owner_id: ownerId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Locks a rule that a person may change: an own one, or any for admins. Without an expected version any is
 * the same.
 */
export const lockRule = (
  trx: Db,
  id: number,
  {
    person: { userId, isAdmin },
    expectedUpdatedAt = null,
  }: { person: { userId: number; isAdmin: boolean }; expectedUpdatedAt?: string | null | undefined },
) =>
  trx
    .selectFrom('alert_rules')
    .selectAll()
    .select(
      sql<boolean>`coalesce(updated_at = ${expectedUpdatedAt}::timestamptz, true)`.as('is_same_version'),
    )
    .where('id', '=', id)
    .$if(!isAdmin, (query) => query.where('owner_id', '=', userId))
    .forUpdate()
    .executeTakeFirst()

/**
 * Changes a rule. With `isReset` it starts again without its history, and its open incidents end without a
 * message.
 */
export async function updateRule(
  trx: Db,
  id: number,
  { values, isReset }: { values: Partial<RuleValues>; isReset: boolean },
): Promise<void> {
  await trx
    .updateTable('alert_rules')
    .set({
      ...values,
      updated_at: nextUpdatedAt,
      ...(isReset && { next_at: sql<string>`now()`, started_at: sql<string>`now()` }),
    })
    .where('id', '=', id)
    .execute()
  if (!isReset) return
  await sql`delete from alert_samples where rule_id = ${id}`.execute(trx)
  await sql`delete from alert_incidents where rule_id = ${id} and began_at is null`.execute(trx)
  await sql`update alert_incidents set ended_at = now() where rule_id = ${id} and ended_at is null`.execute(
    trx,
  )
}

export const deleteRule = (trx: Db, id: number) =>
  trx.deleteFrom('alert_rules').where('id', '=', id).execute()

/** Of the given roles, those that do not exist. */
export async function findMissingRoles(trx: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from unnest(${ids}::bigint[]) n (id)
    where not exists (select from roles where roles.id = n.id)`.execute(trx)
  return rows.map(({ id }) => id)
}

/** The ids that a rule names. An empty list: all. */
export type RuleFilters = Partial<Record<`${AlertFilter}_ids`, readonly number[]>>

/**
 * Of the filters of a rule, those that name what a person may not see; null: an admin, who sees all that
 * exists. The rows that the rule names cannot be deleted until the end of the transaction.
 */
export async function findHiddenFilters(
  trx: Db,
  { source_ids = [], offer_ids = [], stream_ids = [], buyer_ids = [] }: RuleFilters,
  viewer: Viewer | null,
): Promise<string[]> {
  const sources =
    viewer === null
      ? sql`select id from cpa_sources`
      : sql`select source_id from role_source_access where role_id = ${viewer.roleId}`
  const isOwn = viewer === null ? sql`true` : sql`user_id = ${viewer.userId}`
  const isBuyer = viewer === null ? sql`true` : sql`id = ${viewer.userId}`
  const isAdmin = viewer === null
  const checks = [
    { field: 'source_ids', ids: source_ids, rows: sql`cpa_sources where id in (${sources})`, hasNone: false },
    { field: 'offer_ids', ids: offer_ids, rows: sql`offers where source_id in (${sources})`, hasNone: true },
    {
      field: 'stream_ids',
      ids: stream_ids,
      rows: sql`streams where ${isOwn} and source_id in (${sources})`,
      hasNone: isAdmin,
    },
    { field: 'buyer_ids', ids: buyer_ids, rows: sql`users where ${isBuyer}`, hasNone: isAdmin },
  ]
  const hiddenFields: string[] = []
  for (const { field, ids, rows, hasNone } of checks) {
    if (ids.length === 0) continue
    const result = await sql<{ id: number }>`
      select id from ${rows} and id = any(${ids}::bigint[]) for key share`.execute(trx)
    const knownIds = new Set(result.rows.map(({ id }) => id))
    if (ids.some((id) => !knownIds.has(id) && !(id === 0 && hasNone))) hiddenFields.push(field)
  }
  return hiddenFields
}

/** The rights of a person who has rules. */
export type RuleOwner = Viewer & { isAdmin: boolean }

/** Reads the present rights of the owner of a rule. */
export async function readOwner(trx: Db, userId: number): Promise<RuleOwner> {
  const { role_id, code } = await trx
    .selectFrom('users as u')
    .innerJoin('roles as r', 'r.id', 'u.role_id')
    .select(['u.role_id', 'r.code'])
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow()
  return { userId, roleId: role_id, isAdmin: code === adminCode }
}

/** Whether a person gets the alerts of a rule now. */
export async function isReceiver(trx: Db, ruleId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from alert_rules r ${sql.raw(joinOwnerSql('r'))}
    join users u on u.id = ${userId} join roles ro on ro.id = u.role_id
    where r.id = ${ruleId} and (${sql.raw(receiverSql('r', 'u', 'ro'))} or r.owner_id = u.id)`.execute(trx)
  return rows.length > 0
}

/** Turns the alerts of a rule off for a person, or on again. */
export async function saveMute(
  trx: Db,
  { ruleId, userId, muted }: { ruleId: number; userId: number; muted: boolean },
): Promise<void> {
  if (muted)
    await trx
      .insertInto('alert_mutes')
      .values({ rule_id: ruleId, user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else
    await trx.deleteFrom('alert_mutes').where('rule_id', '=', ruleId).where('user_id', '=', userId).execute()
}
