import type pg from 'pg'

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
