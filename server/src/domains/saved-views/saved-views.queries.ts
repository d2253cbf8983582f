import type { QueryOf } from '@karvon/contract/lib/call.ts'
import { normaliseViewAddress } from '@karvon/contract/saved-views/address.ts'
import type { listSavedViews } from '@karvon/contract/saved-views/saved-views.list.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { scheduleItem } from './saved-views.schedule.queries.ts'

/**
 * The ids of the views that a person may open: their own, and those shared with the person's role. A view is shared only
 * while its owner is an admin. `user` and `role` are SQL of their ids, without the alias u.
 */
export const visibleIds = (user: string, role: string) => `select id from saved_views where user_id = ${user}
  union all select s.view_id from saved_view_roles s join saved_views sv on sv.id = s.view_id
    join users u on u.id = sv.user_id join roles r on r.id = u.role_id
    where s.role_id = ${role} and sv.user_id <> ${user} and r.code = 'admin'`

const isDefault = (user: string) =>
  `exists (select from saved_view_defaults d where d.view_id = v.id and d.user_id = ${user})`

/** The JSON of a view, from the row `v`, for the person with the id `user`. */
const buildItem = (user: string) => `json_build_object('id', v.id, 'name', v.name, 'screen', v.screen,
  'address', v.address, 'is_own', v.user_id = ${user}, 'is_default', ${isDefault(user)},
  'shared_role_ids', case when v.user_id = ${user}
    then (select coalesce(json_agg(s.role_id order by s.role_id), '[]') from saved_view_roles s where s.view_id = v.id)
    else '[]'::json end,
  'schedule', case when v.user_id = ${user} then ${scheduleItem} end,
  'created_at', v.created_at, 'updated_at', v.updated_at)`

const columns = {
  id: 'v.id',
  name: 'v.name',
  screen: 'v.screen',
  address: 'v.address',
  created_at: 'v.created_at',
  updated_at: 'v.updated_at',
}

export function buildSavedViewList(
  query: QueryOf<typeof listSavedViews>,
  { userId, roleId }: Viewer,
): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  const screen = query.screen === undefined ? undefined : (normaliseViewAddress(query.screen) ?? query.screen)
  // The first two parameters.
  const [user, role] = ['$1::bigint', '$2::bigint']
  const where = new Where([userId, roleId], [`v.id in (${visibleIds(user, role)})`])
  const scopeCondition = where.toString()
  return {
    table: 'saved_views',
    alias: 'v',
    item: { json: buildItem(user) },
    scopeCondition,
    where: where
      .andEqual(columns, { ...query, screen })
      .and(`(v.user_id = ${user}) = ?`, query.is_own)
      .and(`${isDefault(user)} = ?`, query.is_default)
      .and('v.name ~* ?', pattern),
    order: buildOrderBy({
      columns,
      sort: query.sort,
      defaultSort: 'name',
      tieBreaker: 'v.id',
      notNullKeys: Object.keys(columns),
      textKeys: ['name'],
    }),
  }
}

/** Reads a view that the person may open, as the JSON of the API; null if there is none with this id. */
export async function readSavedView(db: Db, id: number, { userId, roleId }: Viewer): Promise<RawJson | null> {
  const text = `select (${buildItem('$1::bigint')})::text as item from saved_views v
    where v.id = $3 and v.id in (${visibleIds('$1::bigint', '$2::bigint')})`
  const rows = await queryRows<{ item: string }>(db, text, [userId, roleId, id])
  return rows[0] === undefined ? null : new RawJson(rows[0].item)
}

/** Locks a person, so that one change of their views comes after the other. */
export const lockViewOwner = (trx: Db, userId: number) =>
  trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()

export async function countOwnViews(trx: Db, userId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export interface ViewValues {
  name: string
  screen: string
  address: string
}

/** Whether another view of the person has the name on the screen. `id`: the view itself, 0 for a new one. */
export async function viewNameExists(
  trx: Db,
  userId: number,
  { id, name, screen }: Pick<ViewValues, 'name' | 'screen'> & { id: number },
): Promise<boolean> {
  const otherViews = trx
    .selectFrom('saved_views')
    .select('id')
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .where('screen', '=', screen)
    .where('id', '<>', id)
  return (await otherViews.executeTakeFirst()) !== undefined
}

export async function insertView(trx: Db, userId: number, values: ViewValues): Promise<number> {
  const { id } = await trx
    .insertInto('saved_views')
    .values({ user_id: userId, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Reads an own view with its roles. */
export const readOwnView = (trx: Db, id: number, userId: number) =>
  trx
    .selectFrom('saved_views')
    .select(['name', 'screen', 'address'])
    .select(
      sql<
        number[]
      >`array(select role_id from saved_view_roles where view_id = saved_views.id order by role_id)`.as(
        'shared_role_ids',
      ),
    )
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()

export async function updateView(
  trx: Db,
  id: number,
  values: Pick<ViewValues, 'name' | 'address'>,
): Promise<void> {
  await trx
    .updateTable('saved_views')
    .set({ ...values, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}

export async function deleteView(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('saved_views').where('id', '=', id).execute()
}

/**
 * Replaces the roles that a view is shared with. Returns the largest number of views of the screen that one of these roles
 * has then; undefined if a role does not exist. The locks of the roles make one sharing come after the other.
 */
export async function shareView(
  trx: Db,
  id: number,
  { screen, roleIds }: { screen: string; roleIds: readonly number[] },
): Promise<number | undefined> {
  await trx.deleteFrom('saved_view_roles').where('view_id', '=', id).execute()
  if (roleIds.length === 0) return 0
  const lockedRoles = await trx
    .selectFrom('roles')
    .select('id')
    .where('id', 'in', roleIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (lockedRoles.length < roleIds.length) return undefined
  await trx
    .insertInto('saved_view_roles')
    .values(roleIds.map((role_id) => ({ view_id: id, role_id })))
    .execute()
  const { rows } = await sql<{ count: number }>`select coalesce(max(n), 0)::integer as count from (
    select count(*) as n from saved_view_roles s join saved_views v on v.id = s.view_id
    where s.role_id = any(${[...roleIds]}::bigint[]) and v.screen = ${screen} group by s.role_id) shared`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

/** Makes a view the default of a person for its screen. */
export async function setDefaultView(trx: Db, userId: number, viewId: number): Promise<void> {
  await sql`insert into saved_view_defaults (user_id, screen, view_id)
    select ${userId}, screen, id from saved_views where id = ${viewId}
    on conflict (user_id, screen) do update set view_id = excluded.view_id`.execute(trx)
}

export async function removeDefaultView(trx: Db, userId: number, viewId: number): Promise<void> {
  await trx
    .deleteFrom('saved_view_defaults')
    .where('user_id', '=', userId)
    .where('view_id', '=', viewId)
    .execute()
}
