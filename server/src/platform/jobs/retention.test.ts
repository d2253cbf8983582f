import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildLead, openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { ingestLeads } from '../../domains/leads/leads.ingest.ts'
import { outgoingRetention } from '../../domains/outgoing-postbacks/outgoing-postbacks.retention.ts'
import { syncsJobs } from '../../domains/syncs/syncs.jobs.ts'
import type { Job } from './jobs.ts'
import { retentionJob } from './retention.ts'

let database: LeadDatabase
beforeAll(async () => {
  database = await openLeadDatabase()
})
afterAll(() => database.close())

/** Runs a job until it has nothing to do; returns the number of runs. */
async function finish(job: Job | undefined): Promise<number> {
  for (let runs = 1; ; runs += 1)
    if ((await job?.run(new AbortController().signal))?.hasMore !== true) return runs
}
const listRemaining = async (table: string) => {
  const { rows } = await database.pool.query<{ id: number }>(`select id from ${table} order by id`)
  return rows.map(({ id }) => id)
}

describe('Retention of logs', () => {
  beforeEach(async () => {
    await sql`drop table if exists happened`.execute(database.db)
    await sql`create table happened (id bigint generated always as identity, at timestamptz, dear boolean)`.execute(
      database.db,
    )
  })

  test('retention deletes old rows in batches and passes the kept rows once', async () => {
    await sql`insert into happened (at, dear)
      select now() - interval '91 days', n <= 7000 from generate_series(1, 13000) n`.execute(database.db)
    await sql`insert into happened (at, dear) values (now() - interval '89 days', false)`.execute(database.db)
    const job = retentionJob(database.db, {
      table: 'happened',
      timeColumn: 'at',
      days: 90,
      keepCondition: 't.dear',
    })
    expect(await finish(job)).toBe(3)
    expect(await listRemaining('happened')).toEqual([...Array.from({ length: 7000 }, (_, i) => i + 1), 13001])
    await sql`update happened set dear = false where id <= 10`.execute(database.db)
    expect(await finish(job)).toBe(2)
    expect(await listRemaining('happened')).toHaveLength(6991)
  })

  test('retention after a pause deletes all old rows, although each run is killed after one batch', async () => {
    await sql`insert into happened (at, dear)
      select now() - interval '121 days', n <= 100 from generate_series(1, 13000) n`.execute(database.db)
    const rule = { table: 'happened', timeColumn: 'at', days: 90, keepCondition: 't.dear' }
    const once = () => retentionJob(database.db, rule).run(new AbortController().signal)
    for (let kills = 1; kills <= 3; kills += 1) await once()
    expect(await listRemaining('happened')).toHaveLength(100)
  })
})

describe('Retention of sync runs', () => {
  test('sync runs are kept for a month, and the newest of each account for ever', async () => {
    const source_id = await database.newSource()
    const { id: role_id } = await database.db
      .selectFrom('roles')
      .select('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const { rows } = await sql<{ id: number }>`
      with person as (
        insert into users (username, name, email, password_hash, role_id) values ('aziz', 'Aziz', 'a@b.uz', '', ${role_id})
        returning id
      )
      insert into source_credentials (name, user_id, source_id)
      select name, person.id, ${source_id} from person, unnest(array['A', 'B']) name returning id`.execute(
      database.db,
    )
    const [a, b] = rows.map(({ id }) => id)
    const { rows: courier } = await sql<{ id: number }>`
      insert into courier_accounts (name, url, login, user_id)
      select 'C', 'https://c.example', 'c', id from users where username = 'aziz' returning id`.execute(
      database.db,
    )
    await sql`insert into sync_runs (source_credential_id, courier_account_id, status, started_at)
      values (${a}, null, 'done', now() - interval '40 days'), (${a}, null, 'failed', now() - interval '31 days'),
        (${a}, null, 'done', now() - interval '29 days'), (${b}, null, 'done', now() - interval '50 days'),
        (${b}, null, 'done', now() - interval '45 days'), (null, ${courier[0]?.id}, 'done', now() - interval '60 days'),
        (null, ${courier[0]?.id}, 'done', now() - interval '55 days')`.execute(database.db)
    const [job] = syncsJobs(database)
    await finish(job)
    expect(await listRemaining('sync_runs')).toEqual([3, 5, 7])
  })
})

describe('Retention of outgoing postbacks', () => {
  test('outgoing postbacks are kept for 90 days, and the last one of a lead and template for ever', async () => {
    const source = await database.newSource()
    await ingestLeads(database.db, {
      sourceId: source,
      leads: [buildLead('1', { stream: 'Reels' }), buildLead('2', { stream: 'Reels' })],
      origin: 'file',
    })
    await sql`insert into postback_templates (name, stream_id, url)
      select 'T', id, 'https://t.example' from streams limit 1`.execute(database.db)
    await sql`delete from outgoing_postbacks`.execute(database.db)
    const add = async (external: string, status: string, days: number, template = true) => {
      const { rows } = await sql<{ id: number }>`
        insert into outgoing_postbacks (template_id, lead_id, source_status, payout, changed_at, status, created_at)
        select ${template ? sql`(select min(id) from postback_templates)` : null}, id, 'sold', 1, now(), ${status},
          now() - make_interval(days => ${days}) from leads where external_id = ${external} returning id`.execute(
        database.db,
      )
      return Number(rows[0]?.id)
    }
    await add('1', 'sent', 120)
    const lastSent = await add('1', 'sent', 110)
    await add('1', 'refused', 100)
    await add('1', 'same', 95)
    const waiting = await add('1', 'queued', 99)
    await add('2', 'sent', 100)
    const young = await add('2', 'sent', 80)
    await add('2', 'sent', 100, false)
    await finish(outgoingRetention(database))
    expect(await listRemaining('outgoing_postbacks')).toEqual([lastSent, waiting, young])
  })
})
