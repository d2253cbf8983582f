import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb, openPool } from '../../platform/database/pool.ts'
import { createTestApp, type Product } from '../../../test/app.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { countRollupDifferences, noDifferences } from '../../../test/recount.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { applyTimeZone } from './reports.days.ts'
import { foldDeltas } from './reports.fold.queries.ts'

const zone = 'America/New_York'
/** Minutes around midnight there in winter and summer, and the nights of its clock changes. */
const moments = [
  '2026-01-15T04:59:59Z',
  '2026-01-15T05:00:00Z',
  '2026-03-08T04:59:59Z',
  '2026-03-08T05:00:00Z',
  '2026-03-09T03:59:59Z',
  '2026-03-09T04:00:00Z',
  '2026-07-01T03:59:59Z',
  '2026-07-01T04:00:00Z',
  '2026-11-01T03:59:59Z',
  '2026-11-01T04:00:00Z',
  '2026-11-02T04:59:59Z',
  '2026-11-02T05:00:00Z',
]

let product: Product
beforeAll(async () => {
  product = await createTestApp()
})
afterAll(() => product.close())

const dayIn = (timeZone: string, moment: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(moment))

async function days(): Promise<Record<string, string>> {
  const rows = await product.deps.db.selectFrom('leads').select(['external_id', 'day']).execute()
  return Object.fromEntries(rows.map(({ external_id, day }) => [external_id, day]))
}
const daysIn = (timeZone: string) =>
  Object.fromEntries(moments.map((moment) => [moment, dayIn(timeZone, moment)]))

test('a new time zone assigns every lead and its figures to the day there, and changes no parcel', async () => {
  const { db, pool, config } = product.deps
  const { id: source } = await db
    .insertInto('cpa_sources')
    .values({ name: 'Network', url: 'https://network.example' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const batch = moments.map((created_at) => buildLead(created_at, { created_at, stream: 'Reels' }))
  await ingestLeads(db, { sourceId: source, leads: batch, origin: 'file' })
  await pool.query(`insert into parcels (orderno, day, status_code, status_title, eventtime)
    values ('p1', '2026-07-01', 'PENDING', 'New', '2026-07-01T03:59:59Z')`)
  await foldDeltas(db, 5)
  expect(await days()).toEqual(daysIn(config.timeZone))

  const there = openDb(openPool(product.databaseUrl, { timezone: zone }))
  try {
    // Aborted before the start: the days still belong to the old zone.
    await expect(applyTimeZone(there, zone, AbortSignal.abort())).rejects.toThrow(/abort/)
    await applyTimeZone(there, zone)
    expect(await days()).toEqual(daysIn(zone))
    expect(await countRollupDifferences(pool)).toEqual(noDifferences)
    await foldDeltas(db)
    expect(await countRollupDifferences(pool)).toEqual(noDifferences)
    expect((await db.selectFrom('parcels').select('day').executeTakeFirst())?.day).toBe('2026-07-01')

    // Done once: the days are not computed again.
    await pool.query(`update leads set day = '2000-01-01' where external_id = $1`, [moments[0]])
    await applyTimeZone(there, zone)
    expect((await days())[moments[0] ?? '']).toBe('2000-01-01')
  } finally {
    await there.destroy()
  }
  await applyTimeZone(db, config.timeZone)
  expect(await days()).toEqual(daysIn(config.timeZone))
})
