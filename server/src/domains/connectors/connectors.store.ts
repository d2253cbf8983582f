import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { NetworkOffer, NetworkOrder, NetworkStream } from './connectors.rows.ts'

/** Offers by the network's id: made, or brought to what the network says. Answers how many changed. */
export async function storeOffers(
  db: Db,
  sourceId: number,
  offers: readonly NetworkOffer[],
): Promise<number> {
  const rows = lastOf(offers)
  const all = <T>(pick: (row: NetworkOffer) => T) => rows.map(pick)
  const { rows: changed } = await sql`
    with told as (
      select * from unnest(${all((o) => o.extra_id)}::text[], ${all((o) => o.name)}::text[],
        ${all((o) => o.price)}::numeric[], ${all((o) => o.affiliate_fee)}::numeric[], ${all((o) => o.store_name)}::text[],
        ${all((o) => o.image)}::text[]
      ) as t (extra_id, name, price, affiliate_fee, store_name, image_url)
    ), known as (
      select min(o.id) as id, o.extra_id from offers o
      where o.source_id = ${sourceId} and o.extra_id in (select extra_id from told) group by o.extra_id
    ), updated as (
      update offers o set name = t.name, price = coalesce(t.price, o.price),
        affiliate_fee = coalesce(t.affiliate_fee, o.affiliate_fee), store_name = coalesce(t.store_name, o.store_name),
        image_url = coalesce(t.image_url, o.image_url), updated_at = now()
      from told t join known k using (extra_id)
      where o.id = k.id and (o.name, o.price, o.affiliate_fee, o.store_name, o.image_url) is distinct from
        (t.name, coalesce(t.price, o.price), coalesce(t.affiliate_fee, o.affiliate_fee), coalesce(t.store_name, o.store_name),
          coalesce(t.image_url, o.image_url))
      returning 1
    ), made as (
      insert into offers (name, price, affiliate_fee, store_name, image_url, source_id, extra_id)
      select t.name, coalesce(t.price, 0), coalesce(t.affiliate_fee, 0), coalesce(t.store_name, ''), t.image_url, ${sourceId},
        t.extra_id
      from told t where not exists (select 1 from known k where k.extra_id = t.extra_id)
      returning 1
    )
    select 1 from updated union all select 1 from made`.execute(db)
  return changed.length
}

/** Of the network's ids of offers those that the source has no offer of. */
export async function unknownOffers(db: Db, sourceId: number, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select t.id from unnest(${ids}::text[]) as t (id)
    where not exists (select 1 from offers o where o.source_id = ${sourceId} and o.extra_id = t.id)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Streams by the network's id. One that has no owner yet is the account's person's; an owner is never replaced. */
export async function storeStreams(
  db: Db,
  sourceId: number,
  userId: number,
  streams: readonly NetworkStream[],
): Promise<number> {
  const rows = lastOf(streams)
  const all = <T>(pick: (row: NetworkStream) => T) => rows.map(pick)
  const { rows: changed } = await sql`
    with told as (
      select t.*, (select min(o.id) from offers o where o.source_id = ${sourceId} and o.extra_id = t.offer_extra_id) as offer_id
      from unnest(${all((s) => s.extra_id)}::text[], ${all((s) => s.name)}::text[], ${all((s) => s.url)}::text[],
        ${all((s) => s.offer_name)}::text[], ${all((s) => s.offer_extra_id)}::text[]
      ) as t (extra_id, name, url, offer_name, offer_extra_id)
    ), named as (
      select t.*, coalesce(t.offer_name, o.name) as offer from told t left join offers o on o.id = t.offer_id
    ), known as (
      select min(s.id) as id, s.extra_id from streams s
      where s.source_id = ${sourceId} and s.extra_id in (select extra_id from told) group by s.extra_id
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
  return changed.length
}

/** A row that a page repeats counts as its last telling. */
const lastOf = <Row extends { extra_id: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.extra_id, row])).values(),
]

/** Streams that orders named, as far as nobody owns them, become the account's person's. */
export async function ownStreams(db: Db, sourceId: number, userId: number, orders: readonly NetworkOrder[]) {
  const told = (pick: (order: NetworkOrder) => string | null) => [
    ...new Set(orders.flatMap((order) => pick(order) ?? [])),
  ]
  await sql`
    update streams set user_id = ${userId}, updated_at = now()
    where source_id = ${sourceId} and user_id is null
      and (extra_id = any(${told((o) => o.stream_extra_id)}::text[])
        or (extra_id is null and name = any(${told((o) => o.stream)}::text[])))`.execute(db)
}

/** Of these orders those that are stored with another word or payout, or not at all. */
export async function changedOrders(
  db: Db,
  sourceId: number,
  orders: readonly NetworkOrder[],
): Promise<NetworkOrder[]> {
  const { rows } = await sql<{ at: number }>`
    select o.at::int from unnest(${orders.map((o) => o.external_id)}::text[], ${orders.map((o) => o.status)}::text[],
      ${orders.map((o) => o.payout)}::numeric[]) with ordinality as o (external_id, word, payout, at)
    left join leads l on l.source_id = ${sourceId} and l.external_id = o.external_id
    where l.id is null or l.word <> o.word or l.payout <> coalesce(o.payout, l.payout)`.execute(db)
  const changed = new Set(rows.map(({ at }) => at - 1))
  return orders.filter((_, i) => changed.has(i))
}

/** How many of these orders have a word that no status is mapped to. */
export async function unmappedOf(db: Db, sourceId: number, orders: readonly NetworkOrder[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from leads where source_id = ${sourceId} and status_id is null
      and external_id = any(${orders.map((o) => o.external_id)}::text[])`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * When the oldest lead of this person at this source that can still move was made, looking from `since` on;
 * null when all have come to their end. Sold, returned and rejected leads have.
 */
export async function oldestOpen(
  db: Db,
  sourceId: number,
  userId: number,
  since: string | null,
): Promise<string | null> {
  const { rows } = await sql<{ at: string }>`
    select l.created_at as at from leads l
    join streams s on s.id = l.stream_id and s.user_id = ${userId}
    left join statuses st on st.id = l.status_id left join status_types t on t.id = st.type_id
    where l.source_id = ${sourceId} and l.created_at >= coalesce(${since}::timestamptz, '-infinity')
      and coalesce(t.code, '') not in ('sold', 'returned', 'cancel')
    order by l.created_at limit 1`.execute(db)
  return rows[0]?.at ?? null
}

/** Hours of the night over which the full readings of the accounts are spread, from midnight on. */
const nightHours = 4

/**
 * When the last night began for this account, and the present moment, both in milliseconds by the database's clock.
 * Each account has its own minute of the night in the installation's time zone.
 */
export async function lastNightStart(db: Db, accountId: number): Promise<{ start: number; now: number }> {
  const minutes = (accountId * 37) % (nightHours * 60)
  const { rows } = await sql<{ start: string; now: string }>`
    with tonight as (select date_trunc('day', now()) + make_interval(mins => ${minutes}) as start)
    select case when start <= now() then start else start - interval '1 day' end as start, now() from tonight`.execute(
    db,
  )
  const { start = '', now = '' } = rows[0] ?? {}
  return { start: Date.parse(start), now: Date.parse(now) }
}
