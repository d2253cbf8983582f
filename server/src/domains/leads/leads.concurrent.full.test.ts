import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { createRow, readId } from '../../../test/people.ts'
import { foldDeltas } from '../reports/reports.fold.queries.ts'
import { ingestLeads } from './leads.ingest.ts'
import { leadRemapsJob } from './leads.jobs.ts'
import { overrideLeadStatus } from './leads.override.queries.ts'

// Writers of overlapping leads, an admin who changes mappings and overrides statuses, a courier and the jobs use one
// database at the same time.
const leads = 400
const rounds = 12
const sourceStatuses = ['accepted', 'sent', 'Delivered', 'trash', 'strange', 'Odd', 'client_returned', 'hold']
const columns = ['sold', 'returned'] as const

let product: Product
let admin: Session
let source: number

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  source = await create('/api/admin/cpa-sources/', { name: 'Network', url: 'https://network.example' })
})
afterAll(() => product.close())

const create = (url: string, body: Record<string, unknown>) => createRow(product.app, admin, url, body)

const time = (n: number) => new Date(Date.UTC(2026, 10, 1) + n * 60_000).toISOString()

/** Leads of a batch. The same numbers give the same state of a lead. */
const batchOf = (writer: number, round: number) =>
  Array.from({ length: 150 }, (_, i) => {
    const n = (i * (7 + writer * 2) + round * 31 + writer * 97) % leads
    const version = (round * 5 + writer + i) % 40
    return buildLead(`id ${n}`, {
      source_status: sourceStatuses[(n + version) % sourceStatuses.length] ?? 'hold',
      payout: String(version % 3),
      currency: ['UZS', 'USD', 'EUR'][(n + version) % 3] ?? '',
      updated_at: time(version),
      offer: `Offer ${n % 12}`,
      stream: `Stream ${n % 20}`,
    })
  })

async function network(writer: number): Promise<void> {
  for (let round = 0; round < rounds; round++)
    await ingestLeads(product.deps.db, {
      sourceId: source,
      leads: batchOf(writer, round),
      origin: 'connector',
    })
}

async function courier(): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const overrides = Array.from({ length: 40 }, (_, i) => ({
      external_id: `id ${(i * 11 + round * 17) % leads}`,
      column: columns[(i + round) % 2] ?? 'sold',
      at: time((round * 3 + i) % 45),
    }))
    await overrideLeadStatus(product.deps.db, overrides, { origin: 'parcel' })
    await sleep(5)
  }
}

async function fixture(): Promise<void> {
  const statuses = await Promise.all(
    ['Sold', 'Hold', 'Rejected'].map((name) =>
      readId(product.app, admin, `/api/admin/statuses/?name=${name}`),
    ),
  )
  for (let round = 0; round < rounds; round++) {
    const status_id = statuses[round % 3]
    const id = await create('/api/admin/source-statuses/', {
      name: 'odd',
      source_name: round % 2 === 0 ? 'ODD' : 'Strange',
      source_name2: round % 2 === 0 ? 'strange' : null,
      status_id,
      source_id: source,
    })
    const { rows } = await product.deps.pool.query<{ id: number }>(
      'select id from leads order by random() limit 30',
    )
    const ids = rows.map((row) => row.id)
    const answers = [
      await callApi(product.app, admin, 'POST', '/api/admin/leads/state/', { ids, status_id }),
      await callApi(product.app, admin, 'POST', `/api/admin/source-statuses/${id}`, {
        status_id: statuses[(round + 1) % 3],
      }),
    ]
    if (round < rounds - 1)
      answers.push(await callApi(product.app, admin, 'DELETE', `/api/admin/source-statuses/${id}`))
    for (const answer of answers) expect(answer.statusCode, answer.body).toBe(200)
  }
}

/** Runs the background work until the writers have ended. */
async function background(endSignal: AbortSignal): Promise<void> {
  const job = leadRemapsJob(product.deps)
  while (!endSignal.aborted) {
    await job.run(AbortSignal.timeout(50))
    await foldDeltas(product.deps.db)
    await sleep(10)
  }
}

const expectNone = async (label: string, text: string) =>
  expect((await product.deps.pool.query(text)).rows, label).toEqual([])

test('concurrent writers, mappings, admins, the courier and the jobs leave consistent leads and figures', async () => {
  await ingestLeads(product.deps.db, { sourceId: source, leads: batchOf(4, 0), origin: 'connector' })
  const end = new AbortController()
  const jobs = background(end.signal)
  await Promise.all([network(0), network(1), network(2), network(3), courier(), fixture()])
  end.abort()
  await jobs
  expect(await leadRemapsJob(product.deps).run(AbortSignal.timeout(60_000))).toMatchObject({ hasMore: false })

  const { rows } = await product.deps.pool.query<Record<string, number>>(
    `select count(*) as all, count(*) filter (where not is_status_overridden) as mapped,
      count(*) filter (where is_status_overridden) as overridden,
      count(distinct status_id) as statuses from leads`,
  )
  expect(rows[0]?.all).toBe(leads)
  for (const key of ['mapped', 'overridden', 'statuses']) expect(rows[0]?.[key], key).toBeGreaterThan(2)
  await expectNone(
    'leads whose status differs from the mapping',
    `select l.id, l.source_status, l.status_id, m.status_id as meant from leads l
     left join lateral (select status_id from source_statuses w where w.source_id = l.source_id
       and lower(l.source_status) in (lower(source_name), lower(source_name2))
       order by lower(source_name) = lower(l.source_status) desc, id limit 1) m on true
     where not l.is_status_overridden and l.status_id is distinct from m.status_id`,
  )
  await expectNone(
    'leads that are not what their history ends with',
    `select l.id from leads l
     left join lateral (select * from lead_history h where h.lead_id = l.id order by id desc limit 1) h on true
     where (l.source_status, l.status_id, l.payout) is distinct from (h.source_status, h.status_id, h.payout)`,
  )
  await expectNone(
    'history that says nothing new',
    `select id from (select id, source_status, status_id, payout,
       lag((source_status, status_id, payout)) over (partition by lead_id order by id) as before from lead_history) h
     where h.before is not distinct from (source_status, status_id, payout)`,
  )
  await expectNone(
    'overridden leads whose last change came from elsewhere',
    `select l.id from leads l
     join lateral (select origin from lead_history h where h.lead_id = l.id order by id desc limit 1) h on true
     where l.is_status_overridden and h.origin not in ('admin', 'parcel', 'connector')`,
  )
  await expectNone(
    'figures that are not those of the leads',
    `with kept as (
       select source_id, sum(leads) as leads, sum(sold) as sold, sum(hold) as hold, sum(cancel) as cancel,
         sum(returned) as returned, sum(profit) as profit
       from (select source_id, leads, sold, hold, cancel, returned, profit from source_totals where span = 1
         union all select source_id, leads, sold, hold, cancel, returned, profit from lead_deltas) f group by 1
     ), counted as (
       select l.source_id, count(*) as leads, count(*) filter (where t.code = 'sold') as sold,
         count(*) filter (where t.code = 'hold') as hold, count(*) filter (where t.code = 'cancel') as cancel,
         count(*) filter (where t.code = 'returned') as returned,
         coalesce(sum(l.payout) filter (where t.code = 'sold'), 0) as profit
       from leads l left join statuses s on s.id = l.status_id left join status_types t on t.id = s.type_id group by 1
     )
     (select * from kept except select * from counted) union all (select * from counted except select * from kept)`,
  )
  await expectNone(
    'leads whose currency is not among those of their source and stream',
    `select currency, source_id, coalesce(stream_id, 0) from leads
     except select currency, source_id, stream_id from lead_currencies`,
  )
  expect(await deadlocks()).toBe(0)
})

/** PostgreSQL's own count; a backend adds its own at the end of a transaction, a second after the last time. */
async function deadlocks(): Promise<number | undefined> {
  const { pool } = product.deps
  await sleep(1100)
  await Promise.all(Array.from({ length: 10 }, () => pool.query('select pg_sleep(0.2)')))
  const text = 'select deadlocks::integer from pg_stat_database where datname = current_database()'
  return (await pool.query<{ deadlocks: number }>(text)).rows[0]?.deadlocks
}
