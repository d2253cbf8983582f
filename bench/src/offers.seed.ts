import type { openPool } from '@karvon/server/platform/database/pool.ts'

/** The number of offers. */
export const offerCount = 100_000

/** Inserts the offers. Prices and names differ, so that every sort changes the order. */
export async function seedOffers(pool: ReturnType<typeof openPool>): Promise<void> {
  await pool.query(`insert into cpa_sources (name, url)
    select 'Source ' || i, 'https://source-' || i || '.example' from generate_series(1, 20) i`)
  await pool.query(
    `insert into offers (name, price, affiliate_fee, store_name, status_id, source_id, extra_id)
     select 'Offer ' || md5(i::text), i * 7919::bigint % 900000 + 0.5, i * 104729::bigint % 90000 + 0.25, 'Store ' || i % 500,
       (select min(id) from statuses) + i % 7, (select min(id) from cpa_sources) + i % 20, i::text
     from generate_series(1, $1::int) i`,
    [offerCount],
  )
  await pool.query('vacuum analyze offers, cpa_sources, statuses')
}
