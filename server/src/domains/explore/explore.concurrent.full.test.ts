import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreQuery } from '@karvon/contract/explore/explore.ts'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recountCells, type ExploreKey } from '../../../test/explore-recount.ts'
import type { Db } from '../../platform/database/pool.ts'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { setRecountBatch } from '../../../test/recounts.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { foldDeltas } from '../reports/reports.fold.queries.ts'
import { recountStatuses } from '../reports/reports.recounts.ts'
import { buildNextSpan } from '../segments/segments.build-span.ts'
import { buildChangedDays } from '../segments/segments.jobs.ts'
import { answerQuestionInSnapshot } from './explore.ts'

let database: LeadDatabase
let source: number

beforeAll(async () => {
  database = await openLeadDatabase()
  await setRecountBatch(database.pool, 10)
  source = await database.newSource()
  await ingestLeads(database.db, { sourceId: source, leads: batchOf(0), origin: 'file' })
})
afterAll(() => database.close())

const sourceStatuses = ['accepted', 'sent', 'sold', 'client_returned', 'hold', 'trash', 'strange']

const batchOf = (round: number) =>
  Array.from({ length: 100 }, (_, i) => {
    const n = (i * 7 + round * 31) % 400
    return buildLead(`id ${n}`, {
      source_status: sourceStatuses[(n + round) % sourceStatuses.length] ?? 'hold',
      payout: `${round % 5}.37`,
      created_at: new Date(Date.UTC(2026, 0, 1 + ((n * 13) % 20), n % 24)).toISOString(),
      updated_at: new Date(Date.UTC(2027, 0, 1) + round * 60_000).toISOString(),
      offer: `Offer ${(n + (round % 2)) % 12}`,
      stream: n % 9 === 0 ? null : `Stream ${n % 20}`,
    })
  })

const pairs: [ExploreKey, ExploreKey][] = [
  ['stream', 'month'],
  ['buyer', 'weekday'],
  ['status', 'source'],
  ['offer', 'stream'],
  ['hour', 'status'],
  ['week', 'offer'],
  ['stream', 'status'],
  ['hour', 'weekday'],
]

/** An answer and a recount in one snapshot. */
async function compare(n: number): Promise<void> {
  const [rows, columns] = pairs[n % pairs.length] ?? ['stream', 'month']
  const query: ExploreQuery = { rows, columns, metrics: 'leads,profit', top_rows: 3, top_columns: 2 }
  const snapshot = database.db.transaction().setIsolationLevel('repeatable read')
  await snapshot.execute(async (trx) => {
    const { items, totals } = await answerQuestionInSnapshot(trx, query, null)
    const client = { query: (text: string) => trx.executeQuery(CompiledQuery.raw(text)) }
    const cells = await recountCells(client as never, {
      keys: [rows, columns],
      condition: 'true',
      viewer: null,
    })
    const add = (values: readonly (number | null | undefined)[]) =>
      values.reduce<number>((sum, value) => sum + Math.round((value ?? 0) * 100), 0)
    for (const metric of ['leads', 'profit'] as const) {
      const expected = add(cells.map((cell) => cell[metric]))
      expect(add([totals.metrics[metric]]), `${rows} by ${columns}`).toBe(expected)
      expect(add(items.map(({ metrics }) => metrics[metric]))).toBe(expected)
    }
    for (const { row, column, metrics } of items) {
      const isShown = row.kind !== 'rest' && column?.kind !== 'rest'
      if (!isShown || isRenamed(rows) || isRenamed(columns)) continue
      const foundCell = cells.find((cell) => cell.row_key === row.key && cell.column_key === column?.key)
      expect(metrics, `${rows} ${row.key} by ${columns} ${column?.key}`).toEqual({
        leads: foundCell?.leads,
        profit: foundCell?.profit,
      })
    }
  })
}

/** Statuses change all the time here, so a run without a limit of time might never end. */
const recountForAMoment = (db: Db) =>
  recountStatuses(db, AbortSignal.timeout(300)).catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error
  })

/** The recount writes the keys of these dimensions in another way. */
const isRenamed = (name: DimensionName) => name === 'week' || name === 'month'

test('answers are exact in their snapshot while leads arrive, deltas fold, segments and spans are built, and streams and statuses change', async () => {
  const { pool, db } = database
  const end = new AbortController()
  const runs: number[] = []
  const repeat = async (work: (n: number) => Promise<unknown>) => {
    const at = runs.push(0) - 1
    for (let n = 0; !end.signal.aborted; n++) {
      await work(n)
      runs[at] = n + 1
    }
  }
  await pool.query(`insert into users (username, name, email, password_hash, role_id)
      select 'buyer', 'Buyer', 'buyer@example.uz', '', id from roles where code = 'user'`)
  const otherWork = [
    repeat(() => foldDeltas(db, 97)),
    repeat(() => recountForAMoment(db)),
    repeat(() => buildChangedDays(db)),
    repeat(() => buildNextSpan(db, { quietMinutes: 0 })),
    repeat((n) =>
      pool.query(
        `update streams set user_id = case when $1 = 0 then null else (select max(id) from users) end where id % 5 = $2`,
        [n % 2, n % 5],
      ),
    ),
    repeat((n) =>
      pool.query(
        `update statuses set type_id = (select id from status_types where code is not null order by id offset $1 limit 1)
           where id = (select id from statuses order by id offset $2 limit 1)`,
        [n % 7, n % 5],
      ),
    ),
    repeat(compare),
  ]
  // On a busy machine a loop may be slower than the leads. They arrive until each loop has run.
  const allOthers = Promise.all(otherWork)
  allOthers.catch(() => end.abort())
  const hasMore = (round: number) => round < 25 || runs.some((count) => count <= 2)
  const write = async () => {
    for (let round = 1; hasMore(round) && !end.signal.aborted; round++)
      await ingestLeads(db, { sourceId: source, leads: batchOf(round), origin: 'connector' })
  }
  await write().finally(() => end.abort())
  await allOthers
  for (const count of runs) expect(count).toBeGreaterThan(2)
  for (let n = 0; n < pairs.length; n++) await compare(n)
})
