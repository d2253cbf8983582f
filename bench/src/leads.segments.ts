import { buildNextSpan } from '@karvon/server/domains/segments/segments.build-span.ts'
import { buildChangedDays } from '@karvon/server/domains/segments/segments.jobs.ts'
import { openDb, type openPool } from '@karvon/server/platform/database/pool.ts'

/** Builds the segments and spans of all leads. The web process of a bench runs no jobs. */
export async function buildSegments(pool: ReturnType<typeof openPool>): Promise<void> {
  const db = openDb(pool)
  while (await buildChangedDays(db));
  while (await buildNextSpan(db, { quietMinutes: 0 }));
}
