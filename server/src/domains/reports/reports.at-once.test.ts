import { afterAll, beforeAll, expect, test } from 'vitest'
import { lead, openIntake, type Intake } from '../../../test/intake.ts'
import { differingRollUps, noDifference, recount, type FiguresKind } from '../../../test/recount.ts'
import { takeIn } from '../leads/leads.intake.ts'
import { foldDeltas } from './reports.fold.ts'
import { figuresText, type FiguresReport } from './reports.queries.ts'

// Writers, the fold, changes of what states mean and of whom streams belong to, all at the same time; and a
// reader who compares at every moment.

const rounds = 15
const words = ['accepted', 'sent', 'sold', 'client_returned', 'hold', 'trash', 'strange']

let intake: Intake
let source: number
let person: { userId: number; roleId: number }
let streams: number[]

beforeAll(async () => {
  intake = await openIntake()
  source = await intake.newSource()
  const { pool } = intake
  const { rows } = await pool.query<{ id: number; role_id: number }>(
    `insert into users (username, name, email, password_hash, role_id)
     select 'buyer', 'Buyer', 'buyer@example.uz', '', id from roles where code = 'user' returning id, role_id`,
  )
  person = { userId: rows[0]?.id ?? 0, roleId: rows[0]?.role_id ?? 0 }
  await pool.query('insert into role_source_access (role_id, source_id) values ($1, $2)', [
    person.roleId,
    source,
  ])
  await takeIn(intake.db, source, batchOf(0, 0), { origin: 'file' })
  streams = (await pool.query<{ id: number }>('select id from streams order by id')).rows.map(({ id }) => id)
})
afterAll(() => intake.close())

const batchOf = (writer: number, round: number) =>
  Array.from({ length: 120 }, (_, i) => {
    const n = (i * (7 + writer * 2) + round * 31 + writer * 97) % 600
    const version = (round * 5 + writer + i) % 28
    return lead(`id ${n}`, {
      word: words[(n + version) % words.length] ?? 'hold',
      payout: `${version % 5}.37`,
      created_at: new Date(Date.UTC(2026, 0, 1 + ((n * 13) % 330))).toISOString(),
      updated_at: new Date(Date.UTC(2026, 11, 1 + version)).toISOString(),
      offer: `Offer ${(n + (version % 2)) % 12}`,
      stream: n % 9 === 0 ? null : `Stream ${n % 20}`,
    })
  })

async function writer(n: number): Promise<void> {
  for (let round = 0; round < rounds; round++)
    await takeIn(intake.db, source, batchOf(n, round), { origin: 'connector' })
}

/** As often as `text` stands to be asked while the writers write. */
async function meanwhile(ended: AbortSignal, turn: (n: number) => Promise<unknown>): Promise<number> {
  let turns = 0
  for (; !ended.aborted; turns++) await turn(turns)
  return turns
}

const retype = (n: number) =>
  intake.pool.query(
    `update statuses set type_id = (select id from status_types where code is not null order by id offset $1 limit 1)
     where id = (select id from statuses order by id offset $2 limit 1)`,
    [n % 7, n % 5],
  )
const give = (n: number) =>
  intake.pool.query('update streams set user_id = $1 where id = $2', [
    n % 3 === 0 ? null : person.userId,
    streams[n % streams.length],
  ])

const daily = { kind: 'daily', report: { key: 'day', names: null, usual: 'date' } } as const
const reports: readonly { kind: FiguresKind; report: FiguresReport }[] = [
  daily,
  { kind: 'streams', report: { key: 'stream_id', names: 'streams', usual: 'name' } },
  { kind: 'offers', report: { key: 'offer_id', names: 'offers', usual: 'name' } },
]

/** A report and a recount of one and the same moment. */
async function compare(n: number): Promise<void> {
  const { kind, report } = reports[n % reports.length] ?? daily
  const whose = n % 2 === 0 ? null : person
  const of = { start_date: '2026-02-03', end_date: '2026-10-30' }
  const { text, values } = figuresText(report, of, { offset: 0, size: 500 }, whose)
  const client = await intake.pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const answer = (await client.query<{ items: string; totals: unknown }>(text, values)).rows[0]
    const { rows, totals } = await recount(client, kind, of, whose)
    const inOrder = (all: unknown[]) => all.map((row) => JSON.stringify(row)).toSorted()
    expect(inOrder(JSON.parse(answer?.items ?? '') as unknown[])).toEqual(inOrder(rows))
    expect(answer?.totals).toEqual(totals)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test(
  'reports are exact at every moment, and so are the totals at the end',
  { timeout: 120_000 },
  async () => {
    const ended = new AbortController()
    const others = [
      meanwhile(ended.signal, () => foldDeltas(intake.db, 97)),
      meanwhile(ended.signal, retype),
      meanwhile(ended.signal, give),
      meanwhile(ended.signal, compare),
    ]
    await Promise.all([0, 1, 2, 3].map(writer)).finally(() => ended.abort())
    for (const turns of await Promise.all(others)) expect(turns).toBeGreaterThan(2)

    const { pool } = intake
    expect(await differingRollUps(pool)).toEqual(noDifference)
    while ((await foldDeltas(intake.db)) > 0);
    expect(await differingRollUps(pool)).toEqual(noDifference)
    const { rows } = await pool.query<{ all: number; owned: number }>(
      `select (select sum(leads) from source_totals where span = 256) as all, (select sum(leads) from owner_days) as owned`,
    )
    expect(rows[0]?.all).toBe(600)
    expect(rows[0]?.owned).toBeGreaterThan(0)
  },
)
