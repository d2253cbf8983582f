import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import type { ParcelEventInput } from './parcels.types.ts'

export interface FoundParcel {
  orderno: string
  status_code: string
  /** The courier's title of the status. */
  status_title: string
  eventtime: string
  owner: string | null
}

const findSql = `
  select p.orderno, p.status_code, p.status_title, p.eventtime, u.name as owner
  from parcels p left join users u on u.id = p.owner_id
  where p.orderno = any(array[$1::text, upper($1), lower($1)]) and ($2::bigint is null or p.owner_id = $2)
  order by p.eventtime desc, p.id desc limit $3`

/** The parcels with an order number, newest first. `ownerId` is their owner, null for any. */
export async function findParcels(
  pool: pg.Pool,
  orderno: string,
  { ownerId, limit }: { ownerId: number | null; limit: number },
): Promise<FoundParcel[]> {
  return (await pool.query<FoundParcel>(findSql, [orderno, ownerId, limit])).rows
}

/**
 * Gives each event whose parcel has the same status already the time of this status, so that storing the event again
 * changes nothing. Other events keep their time.
 */
export async function keepKnownStatusTimes(
  db: Db,
  events: readonly ParcelEventInput[],
): Promise<ParcelEventInput[]> {
  if (events.length === 0) return []
  const { rows } = await sql<{ at: number; eventtime: string }>`
    select e.at::int, p.eventtime from unnest(${events.map((event) => event.owner_id)}::bigint[],
      ${events.map((event) => event.orderno)}::text[], ${events.map((event) => event.state.raw)}::text[])
      with ordinality as e (owner_id, orderno, raw, at)
    join parcels p on p.orderno = e.orderno and p.owner_id = e.owner_id and p.status_raw = e.raw`.execute(db)
  const knownTimes = new Map(rows.map(({ at, eventtime }) => [at - 1, eventtime]))
  return events.map((event, at) => ({ ...event, eventtime: knownTimes.get(at) ?? event.eventtime }))
}
