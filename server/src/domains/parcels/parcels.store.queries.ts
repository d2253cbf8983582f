import { sql, type RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import { normalizeSignInName, normalizeUsername } from '../../platform/security/usernames.ts'
import { newOrderState } from './parcels.codes.ts'
import { detailNames, getDetailSqlType } from './parcels.details.ts'
import { buildEventRank } from './parcels.event-rank.ts'
import type { ParcelEventInput } from './parcels.types.ts'

/** Orders the events `t` of a parcel, newest first. The order is total: the order of arrival never decides a status. */
const newestEventOrder = `t.eventtime desc, ${buildEventRank('t.code', 't.raw')} desc`
const newestEventFirst = sql.raw(newestEventOrder)

/** The value of the newest event that has one. */
const buildNewestValue = (column: string) => sql`
  (array_agg(${sql.ref(`t.${column}`)} order by ${newestEventFirst}, t.at desc)
    filter (where ${sql.ref(`t.${column}`)} is not null))[1] as ${sql.ref(column)}`

/** CTEs `input` (one row an event) and `folded` (one row a parcel, with the newest values of its events). */
export function foldEventsSql(batch: readonly ParcelEventInput[]): RawBuilder<unknown> {
  const column = (type: string, pick: (row: ParcelEventInput) => unknown) =>
    sql`${batch.map(pick)}::${sql.raw(type)}[]`
  const detailColumns = detailNames.map((name) => column(getDetailSqlType(name), (row) => row[name]))
  return sql`
    input as materialized (
      select * from unnest(
        ${column('text', (row) => row.orderno)}, ${column('bigint', (row) => row.owner_id)},
        ${column('text', (row) => row.state.raw)}, ${column('text', (row) => row.state.title)},
        ${column('text', (row) => row.state.code)}, ${column('timestamptz', (row) => row.eventtime)},
        ${sql.join(detailColumns)}
      ) with ordinality as t (orderno, owner_id, raw, title, code, eventtime, ${sql.raw(detailNames.join(', '))}, at)
    ),
    folded as (
      select t.orderno, t.owner_id, min(t.eventtime) as first_time, min(t.eventtime)::date as first_day,
        ${sql.join(['raw', 'title', 'code', 'eventtime', ...detailNames].map(buildNewestValue))}
      from input t group by t.orderno, t.owner_id
    )`
}

async function readIds(trx: Db, statement: RawBuilder<{ id: number }>): Promise<number[]> {
  const { rows } = await statement.execute(trx)
  return rows.map((row) => row.id)
}

/** Inserts the parcels that do not exist yet; answers their ids. */
export async function insertNewParcels(
  trx: Db,
  foldedEvents: RawBuilder<unknown>,
  { isFromOrderFile, accountId }: { isFromOrderFile: boolean; accountId: number | null },
): Promise<Set<number>> {
  const columns = sql.raw(detailNames.filter((name) => name !== 'day').join(', '))
  return new Set(
    await readIds(
      trx,
      sql`with ${foldedEvents}
        insert into parcels (orderno, owner_id, day, status_code, status_raw, status_title, eventtime, from_order_file,
          courier_account_id, ${columns})
        select orderno, owner_id, coalesce(day, first_day), code, raw, title, eventtime, ${isFromOrderFile},
          ${accountId}::bigint, ${columns}
        from folded order by owner_id, orderno
        on conflict on constraint parcels_owner_id_orderno_key do nothing
        returning id`,
    ),
  )
}

const isSameParcel = sql.raw('p.orderno = f.orderno and p.owner_id is not distinct from f.owner_id')

export async function lockKnownParcels(trx: Db, foldedEvents: RawBuilder<unknown>): Promise<number[]> {
  return readIds(
    trx,
    sql`with ${foldedEvents}
      select p.id from (select distinct orderno, owner_id from input) f join parcels p on ${isSameParcel}
      order by p.owner_id, p.orderno for update of p`,
  )
}

/**
 * The first event of a parcel from an order file is at the time of the upload, which can be after the first events of the
 * courier. An order is new before anything happens to it, so this event moves to the first of these times. Answers the
 * parcels of moved events.
 */
export async function moveOrderEvents(
  trx: Db,
  foldedEvents: RawBuilder<unknown>,
  knownIds: number[],
): Promise<number[]> {
  return readIds(
    trx,
    sql`with ${foldedEvents}, late as materialized (
        select e.id, e.parcel_id, f.first_time, exists (select from parcel_events o
          where o.parcel_id = e.parcel_id and o.raw_code = e.raw_code and o.eventtime = f.first_time) as is_repeat
        from folded f join parcels p on ${isSameParcel}
        join parcel_events e on e.parcel_id = p.id and e.raw_code = ${newOrderState.raw} and e.eventtime > f.first_time
        where p.id = any(${knownIds}::bigint[]) and p.from_order_file
          and e.id = (select min(o.id) from parcel_events o where o.parcel_id = p.id)
      ),
      deleted as (
        delete from parcel_events e using late where e.id = late.id and late.is_repeat returning e.parcel_id
      ),
      moved as (
        update parcel_events e set eventtime = late.first_time from late
        where e.id = late.id and not late.is_repeat returning e.parcel_id
      )
      select parcel_id as id from deleted union all select parcel_id from moved`,
  )
}

/**
 * Updates the details of known parcels, and the courier account of those that have none; answers the ids that changed. A newer event
 * takes precedence over an older one.
 */
export async function updateDetails(
  trx: Db,
  foldedEvents: RawBuilder<unknown>,
  { knownIds, accountId }: { knownIds: number[]; accountId: number | null },
): Promise<number[]> {
  const list = (from: string) => sql.raw(detailNames.map((name) => `${from}.${name}`).join(', '))
  const mergedColumns = sql.raw(
    detailNames
      .map(
        (name) =>
          `case when c.is_newer then coalesce(f.${name}, p.${name}) else coalesce(p.${name}, f.${name}) end as ${name}`,
      )
      .join(', '),
  )
  const assignments = sql.raw(detailNames.map((name) => `${name} = m.${name}`).join(', '))
  return readIds(
    trx,
    sql`with ${foldedEvents}, merged as (
        select p.id, coalesce(p.courier_account_id, ${accountId}::bigint) as courier_account_id, ${mergedColumns}
        from folded f join parcels p on ${isSameParcel}
        cross join lateral (select f.eventtime >= p.eventtime as is_newer) c
      )
      update parcels p set ${assignments}, courier_account_id = m.courier_account_id, updated_at = now() from merged m
      where p.id = m.id and p.id = any(${knownIds}::bigint[])
        and (${list('p')}, p.courier_account_id) is distinct from (${list('m')}, m.courier_account_id)
      returning p.id`,
  )
}

/** Inserts the events that do not exist yet; answers the parcel of each. */
export async function insertEvents(
  trx: Db,
  foldedEvents: RawBuilder<unknown>,
  parcels: number[],
): Promise<number[]> {
  return readIds(
    trx,
    sql`with ${foldedEvents}
      insert into parcel_events (parcel_id, code, raw_code, title, eventtime)
      select distinct on (p.id, f.eventtime, f.raw) p.id, f.code, f.raw, f.title, f.eventtime
      from input f join parcels p on ${isSameParcel}
      where p.id = any(${parcels}::bigint[])
      order by p.id, f.eventtime, f.raw
      on conflict on constraint parcel_events_once_key do nothing
      returning parcel_id as id`,
  )
}

/** Sets the status of each parcel to its newest event. */
export async function updateStatuses(trx: Db, parcels: number[]): Promise<void> {
  await sql`
    update parcels p set status_code = n.code, status_raw = n.raw, status_title = n.title,
      eventtime = n.eventtime, updated_at = now()
    from (
      select distinct on (t.parcel_id) t.parcel_id, t.code, t.raw, t.title, t.eventtime
      from (select parcel_id, code, raw_code as raw, title, eventtime from parcel_events
        where parcel_id = any(${parcels}::bigint[])) t
      order by t.parcel_id, ${newestEventFirst}
    ) n
    where p.id = n.parcel_id and (p.status_raw, p.eventtime) is distinct from (n.raw, n.eventtime)`.execute(
    trx,
  )
}

/** Counts the parcels, and those whose status differs from their newest event. */
export async function countDifferingParcels(
  client: pg.ClientBase,
): Promise<{ parcels: number; differing: number }> {
  const { rows } = await client.query<{ parcels: number; differing: number }>(
    `select count(*) as parcels, count(*) filter (
         where (p.status_code, p.eventtime) is distinct from (t.code, t.eventtime)) as differing
       from parcels p left join lateral (
         select t.code, t.eventtime from (select code, raw_code as raw, eventtime from parcel_events
           where parcel_id = p.id) t order by ${newestEventOrder} limit 1) t on true`,
  )
  const { parcels = 0, differing = 0 } = rows[0] ?? {}
  return { parcels, differing }
}

/** Counts the order numbers that the owner has no parcel with. */
export async function countNewOrders(db: Db, ownerId: number, orders: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from unnest(${orders}::text[]) o (orderno)
    where not exists (select from parcels p where p.owner_id = ${ownerId} and p.orderno = o.orderno)`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/**
 * The ids of people by their usernames, in the form of `normalizeUsername` and in that of `normalizeSignInName`. A username has its own
 * id also if another one differs from it by the kind of an apostrophe alone.
 */
export async function readOwnersByName(db: Db): Promise<ReadonlyMap<string, number>> {
  const users = await db.selectFrom('users').select(['id', 'username']).orderBy('id', 'desc').execute()
  return new Map([
    ...users.map(({ id, username }) => [normalizeSignInName(username), id] as const),
    ...users.map(({ id, username }) => [normalizeUsername(username), id] as const),
  ])
}
