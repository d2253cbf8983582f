import type { openPool } from '@karvon/server/platform/database/pool.ts'

/** Parcels of today, enough for many pages. */
const parcelCount = 1000

/** Fills the parcels of the current month, which the list shows first. */
export async function seedParcels(pool: ReturnType<typeof openPool>): Promise<void> {
  await pool.query(
    `insert into parcels (orderno, owner_id, day, status_code, status_title, eventtime, person, phone, address, town, company)
     select 'ORD-' || i, (select min(id) from users), current_date, 'IN_TRANSIT', 'Выдан курьеру на доставку', now() - i * interval '1 second',
       'Person ' || i, '+99890' || 1000000 + i, 'Street ' || i % 100, 'Tashkent', 'Company ' || i % 20
     from generate_series(1, $1::int) i`,
    [parcelCount],
  )
  await pool.query('vacuum analyze parcels')
}
