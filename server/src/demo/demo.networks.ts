import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../platform/database/pool.ts'
import type { Job } from '../platform/jobs/jobs.ts'
import type { Seal } from '../platform/security/seal.ts'

/** `at` is the host:port where networks and a courier to practise on listen, each below a path of its own. */
export interface DemoNetworks {
  at: string
  seal: Seal
}

/** What those know the demo by. */
const account = { login: 'aziz@example.uz', pass: 'demo' }
const sources = [
  { name: '100k.uz', connector: '100k', path: '/fake/100k/api' },
  { name: 'sotuvchi.com', connector: 'sotuvchi', path: '/fake/sotuvchi/api' },
]
const courierPath = '/fake/measoft/api/'

/** Gives Aziz his accounts at the networks, and the shop Olcha its own at the courier. */
export async function makeNetworks(trx: Db, { at, seal }: DemoNetworks): Promise<void> {
  const personOf = async (username: string) =>
    (await trx.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id
  const aziz = await personOf('aziz')
  for (const { name, connector, path } of sources) {
    const { id: source_id } = await trx
      .selectFrom('cpa_sources')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const mapping = JSON.stringify({ base_url: `http://${at}${path}` })
    await trx
      .insertInto('cpa_websites')
      .values({ name, cpa_source_id: source_id, connector, mapping })
      .execute()
    const { id } = await trx
      .insertInto('source_credentials')
      .values({ name: `${name} · Aziz`, login: account.login, user_id: aziz, source_id })
      .returning('id')
      .executeTakeFirstOrThrow()
    const pass = seal.seal(account.pass, { table: 'source_credentials', row: id, column: 'pass' })
    await trx.updateTable('source_credentials').set({ pass }).where('id', '=', id).execute()
  }
  const { id } = await trx
    .insertInto('courier_accounts')
    .values({
      name: 'MeaSoft · Olcha',
      url: `http://${at}${courierPath}`,
      extra: 'demo',
      login: account.login,
      user_id: await personOf('olcha'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const pass = seal.seal(account.pass, { table: 'courier_accounts', row: id, column: 'pass' })
  await trx.updateTable('courier_accounts').set({ pass }).where('id', '=', id).execute()
}

/** Addresses that {@link makeNetworks} wrote, at whatever port; nothing else is spelled so. */
const isDemos = (url: RawBuilder<unknown>) => sql`${url} ~ '^http://127[.]0[.]0[.]1:[0-9]+/fake/'`
const accounts = sql`
  source_credential_id in (select c.id from source_credentials c
    join cpa_websites w on w.cpa_source_id = c.source_id and ${isDemos(sql`w.mapping ->> 'base_url'`)})
  or courier_account_id in (select id from courier_accounts where ${isDemos(sql`url`)})`

/**
 * Leads the demo's accounts to where the networks listen this time, and lets those that rest go on. What somebody
 * has pointed elsewhere stays so. True where there are any.
 */
export async function pointNetworks(db: Db, at: string): Promise<boolean> {
  const there = (url: RawBuilder<unknown>) => sql`regexp_replace(${url}, '^http://[^/]+', ${`http://${at}`})`
  return db.transaction().execute(async (trx) => {
    const { rows: websites } = await sql`
      update cpa_websites set mapping = jsonb_set(mapping, '{base_url}', to_jsonb(${there(sql`mapping ->> 'base_url'`)}))
      where ${isDemos(sql`mapping ->> 'base_url'`)} returning 1`.execute(trx)
    const { rows: couriers } = await sql`
      update courier_accounts set url = ${there(sql`url`)} where ${isDemos(sql`url`)} returning 1`.execute(
      trx,
    )
    await sql`update source_credentials c set secret_hosts = null from cpa_websites w
      where w.cpa_source_id = c.source_id and ${isDemos(sql`w.mapping ->> 'base_url'`)}`.execute(trx)
    await sql`update sync_states set failures = 0, paused_until = null, pause_reason = null
      where ${accounts}`.execute(trx)
    return websites.length + couriers.length > 0
  })
}

/** Fetches the demo's accounts every twenty seconds, where real ones are left for five minutes. */
export const demoPaceJob = ({ db }: { db: Db }): Job => ({
  name: 'demo-pace',
  every: 5000,
  timeout: 30_000,
  alone: false,
  run: async () => {
    await sql`update sync_states set next_run_at = now() + interval '15 seconds'
      where next_run_at > now() + interval '20 seconds' and (${accounts})`.execute(db)
  },
})
