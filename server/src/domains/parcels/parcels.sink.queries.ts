import { sql, type RawBuilder } from 'kysely'
import type { ParcelTold } from './parcels.parcel.ts'

/** Columns of a parcel that a source may tell or leave out; `day` besides. */
export const facts = [
  'barcode',
  'type_name',
  'weight',
  'quantity',
  'service_name',
  'delivery_price',
  'person',
  'company',
  'phone',
  'address',
  'town',
] as const satisfies (keyof ParcelTold)[]

/** The newest event of `t` first: a total order, so that the status never depends on the order of arrival. */
export const newestText = `t.eventtime desc,
  array_position(array['PENDING','PROCESSING','IN_TRANSIT','DELIVERED','RETURNED'], t.code) desc,
  t.raw collate "C" desc`
export const newest = sql.raw(newestText)

/** What the newest event says that says anything. */
const first = (column: string) => sql`
  (array_agg(${sql.ref(`t.${column}`)} order by ${newest}, t.at desc)
    filter (where ${sql.ref(`t.${column}`)} is not null))[1] as ${sql.ref(column)}`

/** CTEs `told` (one row an event) and `folded` (one row a parcel, what its newest events tell). */
export function foldedOf(batch: readonly ParcelTold[]): RawBuilder<unknown> {
  const all = <T>(pick: (row: ParcelTold) => T) => batch.map(pick)
  return sql`
    told as materialized (
      select * from unnest(
        ${all((row) => row.orderno)}::text[], ${all((row) => row.owner_id)}::bigint[],
        ${all((row) => row.state.raw)}::text[], ${all((row) => row.state.title)}::text[],
        ${all((row) => row.state.code)}::text[], ${all((row) => row.eventtime)}::timestamptz[],
        ${all((row) => row.day)}::date[], ${all((row) => row.barcode)}::text[],
        ${all((row) => row.type_name)}::text[], ${all((row) => row.weight)}::numeric[],
        ${all((row) => row.quantity)}::int[], ${all((row) => row.service_name)}::text[],
        ${all((row) => row.delivery_price)}::numeric[], ${all((row) => row.person)}::text[],
        ${all((row) => row.company)}::text[], ${all((row) => row.phone)}::text[],
        ${all((row) => row.address)}::text[], ${all((row) => row.town)}::text[]
      ) with ordinality as t (orderno, owner_id, raw, title, code, eventtime, day, barcode, type_name, weight,
        quantity, service_name, delivery_price, person, company, phone, address, town, at)
    ),
    folded as (
      select t.orderno, t.owner_id, min(t.eventtime)::date as first_day,
        ${sql.join(['raw', 'title', 'code', 'eventtime', 'day', ...facts].map(first))}
      from told t group by t.orderno, t.owner_id
    )`
}
