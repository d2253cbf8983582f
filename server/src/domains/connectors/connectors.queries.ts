import { finalColumns } from '@karvon/contract/lib/report-columns.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { NetworkOffer, NetworkOrder, NetworkStream } from './connectors.parse.ts'

/** Creates and updates offers by the network's id. Answers how many changed. */
export async function storeOffers(
  db: Db,
  sourceId: number,
  offers: readonly NetworkOffer[],
): Promise<number> {
  const rows = keepLastPerId(offers)
  const mapRows = <T>(pick: (row: NetworkOffer) => T) => rows.map(pick)
  const { rows: changedRows } = await sql`
    with input as (
      select * from unnest(${mapRows((o) => o.extra_id)}::text[], ${mapRows((o) => o.name)}::text[],
        ${mapRows((o) => o.price)}::numeric[], ${mapRows((o) => o.affiliate_fee)}::numeric[], ${mapRows((o) => o.store_name)}::text[],
        ${mapRows((o) => o.image)}::text[]
      ) as t (extra_id, name, price, affiliate_fee, store_name, image_url)
    ), known as (
      select min(o.id) as id, o.extra_id from offers o
      where o.source_id = ${sourceId} and o.extra_id in (select extra_id from input) group by o.extra_id
    ), updated as (
      update offers o set name = t.name, price = coalesce(t.price, o.price),
        affiliate_fee = coalesce(t.affiliate_fee, o.affiliate_fee), store_name = coalesce(t.store_name, o.store_name),
        image_url = coalesce(t.image_url, o.image_url), updated_at = now()
      from input t join known k using (extra_id)
      where o.id = k.id and (o.name, o.price, o.affiliate_fee, o.store_name, o.image_url) is distinct from
        (t.name, coalesce(t.price, o.price), coalesce(t.affiliate_fee, o.affiliate_fee), coalesce(t.store_name, o.store_name),
          coalesce(t.image_url, o.image_url))
      returning 1
    ), made as (
      insert into offers (name, price, affiliate_fee, store_name, image_url, source_id, extra_id)
      select t.name, coalesce(t.price, 0), coalesce(t.affiliate_fee, 0), coalesce(t.store_name, ''), t.image_url, ${sourceId},
        t.extra_id
      from input t where not exists (select 1 from known k where k.extra_id = t.extra_id)
      returning 1
    )
    select 1 from updated union all select 1 from made`.execute(db)
  return changedRows.length
}

/** The ids of the network for offers that the source does not have. */
export async function findUnknownOffers(db: Db, sourceId: number, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select t.id from unnest(${ids}::text[]) as t (id)
    where not exists (select 1 from offers o where o.source_id = ${sourceId} and o.extra_id = t.id)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/**
 * Creates and updates streams by the network's id. The account's person becomes owner of streams without an
 * owner.
 */
export async function storeStreams(
  db: Db,
  { sourceId, userId, streams }: { sourceId: number; userId: number; streams: readonly NetworkStream[] },
): Promise<number> {
  const rows = keepLastPerId(streams)
  const mapRows = <T>(pick: (row: NetworkStream) => T) => rows.map(pick)
  const { rows: changedRows } = await sql`
    with input as (
      select t.*, (select min(o.id) from offers o where o.source_id = ${sourceId} and o.extra_id = t.offer_extra_id) as offer_id
      from unnest(${mapRows((s) => s.extra_id)}::text[], ${mapRows((s) => s.name)}::text[], ${mapRows((s) => s.url)}::text[],
        ${mapRows((s) => s.offer_name)}::text[], ${mapRows((s) => s.offer_extra_id)}::text[]
      ) as t (extra_id, name, url, offer_name, offer_extra_id)
    ), named as (
      select t.*, coalesce(t.offer_name, o.name) as offer from input t left join offers o on o.id = t.offer_id
    ), known as (
      select min(s.id) as id, s.extra_id from streams s
      where s.source_id = ${sourceId} and s.extra_id in (select extra_id from input) group by s.extra_id
    ), updated as (
      update streams s set name = t.name, url = coalesce(t.url, s.url), offer_name = coalesce(t.offer, s.offer_name),
        offer_id = coalesce(t.offer_id, s.offer_id), user_id = coalesce(s.user_id, ${userId}), updated_at = now()
      from named t join known k using (extra_id)
      where s.id = k.id and (s.name, s.url, s.offer_name, s.offer_id, s.user_id) is distinct from
        (t.name, coalesce(t.url, s.url), coalesce(t.offer, s.offer_name), coalesce(t.offer_id, s.offer_id),
          coalesce(s.user_id, ${userId}))
      returning 1
    ), made as (
      insert into streams (name, url, offer_name, offer_id, source_id, user_id, extra_id)
      select t.name, coalesce(t.url, ''), t.offer, t.offer_id, ${sourceId}, ${userId}, t.extra_id
      from named t where not exists (select 1 from known k where k.extra_id = t.extra_id)
      returning 1
    )
    select 1 from updated union all select 1 from made`.execute(db)
  return changedRows.length
}

/** Keeps the last one of rows with the same id: a page can repeat a row. */
const keepLastPerId = <Row extends { extra_id: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.extra_id, row])).values(),
]

/** Makes the account's person the owner of the orders' streams that have no owner. */
export async function assignStreamOwner(
  db: Db,
  { sourceId, userId, orders }: { sourceId: number; userId: number; orders: readonly NetworkOrder[] },
) {
  const distinct = (pick: (order: NetworkOrder) => string | null) => [
    ...new Set(orders.flatMap((order) => pick(order) ?? [])),
  ]
  await sql`
    update streams set user_id = ${userId}, updated_at = now()
    where source_id = ${sourceId} and user_id is null and id in (
      select s.id from unnest(${distinct((o) => o.stream_extra_id)}::text[]) as o (extra_id)
        join streams s on s.source_id = ${sourceId} and s.extra_id = o.extra_id
      union all
      select s.id from unnest(${distinct((o) => o.stream)}::text[]) as o (name)
        join streams s on s.source_id = ${sourceId} and s.extra_id is null and s.name = o.name)`.execute(db)
}

/**
 * The orders that are not stored, or are stored with another value. A value that an order omits is not compared, nor is the
 * currency of an order without a payout.
 */
export async function findChangedOrders(
  db: Db,
  sourceId: number,
  orders: readonly NetworkOrder[],
): Promise<NetworkOrder[]> {
  if (orders.length === 0) return []
  const mapOrders = <T>(pick: (order: NetworkOrder) => T) => orders.map(pick)
  const { rows } = await sql<{ at: number }>`
    select o.at::int from unnest(${mapOrders((o) => o.external_id)}::text[], ${mapOrders((o) => o.status)}::text[],
      ${mapOrders((o) => o.payout)}::numeric[], ${mapOrders((o) => o.payout && o.currency)}::text[],
      ${mapOrders((o) => o.comment)}::text[], ${mapOrders((o) => o.region)}::text[],
      ${mapOrders((o) => o.cancel_reason)}::text[]
    ) with ordinality as o (external_id, source_status, payout, currency, comment, region, cancel_reason, at)
    left join leads l on l.source_id = ${sourceId} and l.external_id = o.external_id
    where l.id is null or (l.source_status, l.payout, l.currency, l.comment, l.region, l.cancel_reason) is distinct from
      (o.source_status, coalesce(o.payout, l.payout), coalesce(o.currency, l.currency), coalesce(o.comment, l.comment),
        coalesce(o.region, l.region), coalesce(o.cancel_reason, l.cancel_reason))`.execute(db)
  const changedIndexes = new Set(rows.map(({ at }) => at - 1))
  return orders.filter((_, i) => changedIndexes.has(i))
}

/**
 * The orders, by their index, whose leads have the same source status, but other money or another creation time, which the network's
 * list reported last. Each has the moment after the stored state. Of a repeated order the newest state counts.
 */
export async function findCorrectionTimes(
  db: Db,
  sourceId: number,
  orders: readonly NetworkOrder[],
): Promise<ReadonlyMap<number, string>> {
  if (orders.length === 0) return new Map()
  const mapOrders = <T>(pick: (order: NetworkOrder) => T) => orders.map(pick)
  const { rows } = await sql<{ at: number; updated_at: string }>`
    with reported as (
      select distinct on (o.external_id) o.* from unnest(${mapOrders((o) => o.external_id)}::text[],
        ${mapOrders((o) => o.status)}::text[], ${mapOrders((o) => o.payout)}::numeric[],
        ${mapOrders((o) => o.payout && o.currency)}::text[], ${mapOrders((o) => o.created_at)}::timestamptz[],
        ${mapOrders((o) => o.updated_at ?? o.created_at)}::timestamptz[]
      ) with ordinality as o (external_id, source_status, payout, currency, created_at, updated_at, at)
      order by o.external_id, o.updated_at desc
    )
    select (o.at - 1)::int as at, (l.updated_at + interval '1 microsecond')::text as updated_at from reported o
    join leads l on l.source_id = ${sourceId} and l.external_id = o.external_id
      and lower(l.source_status) = lower(o.source_status) and l.updated_at >= o.updated_at
      and (l.payout, l.currency, l.created_at)
        is distinct from (coalesce(o.payout, l.payout), coalesce(o.currency, l.currency), o.created_at)
    cross join lateral (
      select h.origin from lead_history h where h.lead_id = l.id and h.origin not in ('admin', 'parcel', 'mapping')
      order by h.id desc limit 1
    ) h
    where h.origin = 'connector'`.execute(db)
  return new Map(rows.map(({ at, updated_at }) => [at, updated_at]))
}

/** Counts the orders whose source status is not mapped to a status. */
export async function countUnmappedOrders(
  db: Db,
  sourceId: number,
  orders: readonly NetworkOrder[],
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from leads where source_id = ${sourceId} and status_id is null
      and external_id = any(${orders.map((o) => o.external_id)}::text[])`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * The creation time of the oldest lead of the person at the source that is not final, looking from `since`
 * on; null if all are final. Sold, returned and rejected leads are final.
 */
export async function findOldestOpenLead(
  db: Db,
  { sourceId, userId, since }: { sourceId: number; userId: number; since: string | null },
): Promise<string | null> {
  const { rows } = await sql<{ at: string }>`
    select l.created_at as at from leads l
    join streams s on s.id = l.stream_id and s.user_id = ${userId}
    left join statuses st on st.id = l.status_id left join status_types t on t.id = st.type_id
    where l.source_id = ${sourceId} and l.created_at >= coalesce(${since}::timestamptz, '-infinity')
      and coalesce(t.code, '') <> all(${finalColumns}::text[])
    order by l.created_at limit 1`.execute(db)
  return rows[0]?.at ?? null
}

/** Hours after midnight over which the full scans of the accounts are spread. */
const nightHours = 4

/**
 * The last scan time of this account and the current time, both in milliseconds by the database's clock. Each
 * account has its own minute of the night, in the installation's time zone.
 */
export async function findLastNightStart(db: Db, accountId: number): Promise<{ start: number; now: number }> {
  const minutes = (accountId * 37) % (nightHours * 60)
  const { rows } = await sql<{ start: string; now: string }>`
    with tonight as (select date_trunc('day', now()) + make_interval(mins => ${minutes}) as start)
    select case when start <= now() then start else start - interval '1 day' end as start, now() from tonight`.execute(
    db,
  )
  const { start = '', now = '' } = rows[0] ?? {}
  return { start: Date.parse(start), now: Date.parse(now) }
}

/** The newest and the oldest of times that a network sent, null without times. The database parses them. */
export async function parseTimeRange(
  db: Db,
  times: readonly string[],
): Promise<{ newest: string | null; oldest: string | null }> {
  const { rows } = await sql<{ newest: string | null; oldest: string | null }>`
    select max(at::timestamptz) as newest, min(at::timestamptz) as oldest from unnest(${times}::text[]) at`.execute(
    db,
  )
  return rows[0] ?? { newest: null, oldest: null }
}

/**
 * Inserts or updates a built-in connector, whose description is JSON. A connector of a user with the code
 * stays unchanged.
 */
export async function saveBuiltInConnector(
  db: Db,
  { code, name, description }: { code: string; name: string; description: string },
): Promise<void> {
  await sql`
      insert into connectors as c (code, name, description, is_builtin) values (${code}, ${name}, ${description}::jsonb, true)
      on conflict (lower(code)) do update set name = excluded.name, description = excluded.description, updated_at = now()
      where c.is_builtin and (c.name, c.description) is distinct from (excluded.name, excluded.description)`.execute(
    db,
  )
}
