import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { countRollupDifferences, noDifferences, recount, type FiguresKind } from '../../../test/recount.ts'
import { setRecountBatch } from '../../../test/recounts.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { foldDeltas } from './reports.fold.queries.ts'
import { buildFiguresStatement, type FiguresReport } from './reports.queries.ts'
import { recountStatuses } from './reports.recounts.ts'

// Writers, the fold, changed types of statuses and changed owners of streams run at the same time, and a reader compares
// reports with recounts.

const rounds = 15
const sourceStatuses = ['accepted', 'sent', 'sold', 'client_returned', 'hold', 'trash', 'strange']

let database: LeadDatabase
let source: number
let person: { userId: number; roleId: number }
let streams: number[]

beforeAll(async () => {
  database = await openLeadDatabase()
  await setRecountBatch(database.pool, 20)
  source = await database.newSource()
  const { pool } = database
  const { rows } = await pool.query<{ id: number; role_id: number }>(
    `insert into users (username, name, email, password_hash, role_id)
     select 'buyer', 'Buyer', 'buyer@example.uz', '', id from roles where code = 'user' returning id, role_id`,
  )
  person = { userId: rows[0]?.id ?? 0, roleId: rows[0]?.role_id ?? 0 }
  await pool.query('insert into role_source_access (role_id, source_id) values ($1, $2)', [
    person.roleId,
    source,
  ])
  await ingestLeads(database.db, { sourceId: source, leads: batchOf(0, 0), origin: 'file' })
  streams = (await pool.query<{ id: number }>('select id from streams order by id')).rows.map(({ id }) => id)
})
afterAll(() => database.close())

const batchOf = (writer: number, round: number) =>
  Array.from({ length: 120 }, (_, i) => {
    const n = (i * (7 + writer * 2) + round * 31 + writer * 97) % 600
    const version = (round * 5 + writer + i) % 28
    return buildLead(`id ${n}`, {
      source_status: sourceStatuses[(n + version) % sourceStatuses.length] ?? 'hold',
      payout: `${version % 5}.37`,
      created_at: new Date(Date.UTC(2026, 0, 1 + ((n * 13) % 330))).toISOString(),
      updated_at: new Date(Date.UTC(2026, 11, 1 + version)).toISOString(),
      offer: `Offer ${(n + (version % 2)) % 12}`,
      stream: n % 9 === 0 ? null : `Stream ${n % 20}`,
    })
  })

async function writer(n: number): Promise<void> {
  for (let round = 0; round < rounds; round++)
    await ingestLeads(database.db, { sourceId: source, leads: batchOf(n, round), origin: 'connector' })
}

/** Repeats a step until the writers end; returns the number of runs. */
async function meanwhile(endSignal: AbortSignal, run: (n: number) => Promise<unknown>): Promise<number> {
  let runs = 0
  for (; !endSignal.aborted; runs++) await run(runs)
  return runs
}

const retype = (n: number) =>
  database.pool.query(
    `update statuses set type_id = (select id from status_types where code is not null order by id offset $1 limit 1)
     where id = (select id from statuses order by id offset $2 limit 1)`,
    [n % 7, n % 5],
  )
const give = (n: number) =>
  database.pool.query('update streams set user_id = $1 where id = $2', [
    n % 3 === 0 ? null : person.userId,
    streams[n % streams.length],
  ])

const daily = { kind: 'daily', report: { groupBy: 'day', nameTable: null, defaultSort: 'date' } } as const
const reports: readonly { kind: FiguresKind; report: FiguresReport }[] = [
  daily,
  { kind: 'streams', report: { groupBy: 'stream_id', nameTable: 'streams', defaultSort: 'name' } },
  { kind: 'offers', report: { groupBy: 'offer_id', nameTable: 'offers', defaultSort: 'name' } },
]

/** A report and a recount in one snapshot. */
async function compare(n: number): Promise<void> {
  const { kind, report } = reports[n % reports.length] ?? daily
  const viewer = n % 2 === 0 ? null : person
  const of = { start_date: '2026-02-03', end_date: '2026-10-30' }
  const { text, values } = buildFiguresStatement(report, of, { range: { offset: 0, size: 500 }, viewer })
  const client = await database.pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const answer = (await client.query<{ items: string; totals: unknown }>(text, values)).rows[0]
    const { rows, totals } = await recount(client, kind, of, viewer)
    const inOrder = (list: unknown[]) => list.map((row) => JSON.stringify(row)).toSorted()
    expect(inOrder(JSON.parse(answer?.items ?? '') as unknown[])).toEqual(inOrder(rows))
    expect(answer?.totals).toEqual(totals)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('reports are exact during concurrent writes, folds and changes, and so are the totals afterwards', async () => {
  const end = new AbortController()
  const otherWork = [
    meanwhile(end.signal, () => foldDeltas(database.db, 97)),
    meanwhile(end.signal, retype),
    meanwhile(end.signal, () => recountStatuses(database.db)),
    meanwhile(end.signal, give),
    meanwhile(end.signal, compare),
  ]
  await Promise.all([0, 1, 2, 3].map(writer)).finally(() => end.abort())
  for (const runs of await Promise.all(otherWork)) expect(runs).toBeGreaterThan(2)

  const { pool } = database
  await recountStatuses(database.db)
  expect(await countRollupDifferences(pool)).toEqual(noDifferences)
  while ((await foldDeltas(database.db)) > 0);
  expect(await countRollupDifferences(pool)).toEqual(noDifferences)
  const { rows } = await pool.query<{ all: number; owned: number }>(
    `select (select sum(leads) from source_totals where span = 256) as all, (select sum(leads) from buyer_days) as owned`,
  )
  expect(rows[0]?.all).toBe(600)
  expect(rows[0]?.owned).toBeGreaterThan(0)
})
