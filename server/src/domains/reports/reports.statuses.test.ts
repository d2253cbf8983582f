import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { countRollupDifferences, noDifferences } from '../../../test/recount.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { foldDeltas } from './reports.fold.queries.ts'
import { countLeadStatuses } from './reports.statuses.ts'
import { readCountedTo } from './reports.statuses.queries.ts'

let database: LeadDatabase
let source: number
const sourceStatuses = ['accepted', 'sold', 'hold', 'trash', 'strange']

/** 300 leads; each version has other statuses, payouts and days. */
const ingest = (version: number, from = 0) =>
  ingestLeads(database.db, {
    sourceId: source,
    origin: 'connector',
    leads: Array.from({ length: 300 }, (_, n) =>
      buildLead(`lead ${from + n}`, {
        source_status: sourceStatuses[(n + version) % 5] ?? 'hold',
        payout: `${version}.${10 + (n % 80)}`,
        created_at: new Date(Date.UTC(2026, 0, 1 + ((n + version) % 200))).toISOString(),
        updated_at: new Date(Date.UTC(2026, 10, 1 + version)).toISOString(),
        stream: n % 7 === 0 ? null : `Stream ${n % 5}`,
      }),
    ),
  })

beforeAll(async () => {
  database = await openLeadDatabase()
  source = await database.newSource()
})
afterAll(() => database.close())

test('leads that were stored before the totals of statuses are counted once, while they change', async () => {
  const { db, pool } = database
  await ingest(1)
  // The state after the migration of a database that has leads.
  await pool.query('delete from status_deltas; update installation set statuses_counted_to = 0')
  await ingest(2)
  expect((await pool.query('select from status_deltas')).rowCount).toBe(0)
  // Half of the leads are counted, as after a kill.
  await pool.query(`update installation set statuses_counted_to = (select max(id) - 150 from leads);
    insert into status_deltas (day, source_id, status_id, leads, payouts)
    select day, source_id, coalesce(status_id, 0), 1, payout from leads, installation
    where id <= statuses_counted_to`)
  await Promise.all([ingest(3), ingest(4, 200), countLeadStatuses(db), foldDeltas(db, 100)])
  await ingest(5)
  expect(await readCountedTo(db)).toBeNull()
  expect(await countRollupDifferences(pool)).toEqual(noDifferences)
  while ((await foldDeltas(db)) > 0);
  expect(await countRollupDifferences(pool)).toEqual(noDifferences)
  const { rows } = await pool.query('select sum(leads) as leads from status_totals where span = 256')
  expect(rows).toEqual([{ leads: 500 }])
})
