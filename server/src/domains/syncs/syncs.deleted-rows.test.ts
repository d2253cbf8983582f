import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { duringDelete } from '../../../test/during-delete.ts'
import { buildLead, openLeadDatabase } from '../../../test/lead-database.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { createSyncJobs } from './syncs.engine.ts'

test('a run whose stream is deleted while it stores a lead creates the stream again', async () => {
  const database = await openLeadDatabase()
  try {
    const sourceId = await database.newSource()
    const [buyer] = await database.newBuyers(sourceId, 1)
    const { rows } = await database.pool.query<{ account: number; stream: number }>(
      `with a as (insert into source_credentials (name, user_id, source_id) values ('A', $1, $2) returning id),
         s as (insert into streams (name, source_id) values ('Gone', $2) returning id)
       select a.id as account, s.id as stream from a, s`,
      [buyer?.userId, sourceId],
    )
    const { account = 0, stream = 0 } = rows[0] ?? {}
    const leads = [buildLead('a', { stream: 'Gone' })]
    const [job] = createSyncJobs(
      { db: database.db, log: pino({ level: 'silent' }), metrics: new Registry() },
      [
        {
          column: 'source_credential_id',
          interval: 60_000,
          dailyRequests: 100,
          isExclusive: false,
          activeAccounts: sql`select ${account}::bigint as id`,
          findActiveAccounts: async () => [account],
          run: async (_, run) => {
            await run.store((trx) => ingestLeads(trx, { sourceId, leads, origin: 'connector' }))
          },
        },
      ],
    )
    await duringDelete(database.pool, { table: 'streams', id: stream }, async () =>
      job?.run(new AbortController().signal),
    )
    expect(await database.storedLeads(sourceId)).toMatchObject([{ external_id: 'a', stream: 'Gone' }])
    expect(await database.db.selectFrom('sync_runs').select('status').execute()).toEqual([{ status: 'done' }])
  } finally {
    await database.close()
  }
})
