import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../platform/database/pool.ts'
import type { Job } from '../platform/jobs/jobs.ts'
import { readDatabaseTime } from '../platform/database/clock.ts'
import type { Encryption } from '../platform/security/encryption.ts'
import { createActs } from './demo.acts.ts'
import { createNetworkHistory } from './demo.network-money.ts'
import type { DemoMoney } from './demo.parts.ts'

/** `host` is the host:port of the demo's networks and courier. Each has its own path. */
export interface DemoNetworks {
  host: string
  encryption: Encryption
  money: DemoMoney
}

/** The login of the demo's accounts at the networks and the courier. */
const account = { login: 'aziz@example.uz', pass: 'demo' }
const sources = [
  { name: '100k.uz', connector: '100k', path: '/fake/100k/api' },
  { name: 'sotuvchi.com', connector: 'sotuvchi', path: '/fake/sotuvchi/api' },
]
const courierPath = '/fake/measoft/api/'

/** Creates the accounts of Aziz at the networks, and of the shop Olcha at the courier, with the history of their money. */
export async function createNetworkAccounts(
  trx: Db,
  { host, encryption, money }: DemoNetworks,
): Promise<void> {
  const personOf = async (username: string) =>
    (await trx.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id
  const aziz = await personOf('aziz')
  // The networks have orders at once, whose statuses still change. The first sync comes some seconds later.
  const openedAt = Date.parse(await readDatabaseTime(trx)) - 50 * 60_000
  for (const { name, connector, path } of sources) {
    const { id: source_id } = await trx
      .selectFrom('cpa_sources')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const headers = { 'X-Account-Opened': String(openedAt) }
    const mapping = JSON.stringify({ base_url: `http://${host}${path}`, headers })
    await trx
      .insertInto('cpa_websites')
      .values({ name, cpa_source_id: source_id, connector, mapping })
      .execute()
    const { id } = await trx
      .insertInto('source_credentials')
      .values({ name: `${name} · Aziz`, login: account.login, user_id: aziz, source_id })
      .returning('id')
      .executeTakeFirstOrThrow()
    const pass = encryption.encrypt(account.pass, { table: 'source_credentials', row: id, column: 'pass' })
    await trx.updateTable('source_credentials').set({ pass }).where('id', '=', id).execute()
    if (connector === '100k')
      await createNetworkHistory(trx, { credentialId: id, sourceId: source_id, userId: aziz })
  }
  const { id } = await trx
    .insertInto('courier_accounts')
    .values({
      name: 'MeaSoft · Olcha',
      url: `http://${host}${courierPath}?opened=${openedAt}`,
      extra: 'demo',
      login: account.login,
      user_id: await personOf('olcha'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const pass = encryption.encrypt(account.pass, { table: 'courier_accounts', row: id, column: 'pass' })
  await trx.updateTable('courier_accounts').set({ pass }).where('id', '=', id).execute()
  await createActs(trx, id, money)
}

/** SQL: the URL belongs to the demo's networks, at any port. No other URL has this form. */
const isDemoUrl = (url: RawBuilder<unknown>) => sql`${url} ~ '^http://127[.]0[.]0[.]1:[0-9]+/fake/'`
const accounts = sql`
  source_credential_id in (select c.id from source_credentials c
    join cpa_websites w on w.cpa_source_id = c.source_id and ${isDemoUrl(sql`w.mapping ->> 'base_url'`)})
  or courier_account_id in (select id from courier_accounts where ${isDemoUrl(sql`url`)})`

/**
 * Sets the current host:port of the demo's networks in the demo's accounts, and ends their pauses. Accounts with other
 * addresses stay unchanged. Answers true if there are any demo accounts.
 */
export async function updateNetworkAddresses(db: Db, host: string): Promise<boolean> {
  const withCurrentHost = (url: RawBuilder<unknown>) =>
    sql`regexp_replace(${url}, '^http://[^/]+', ${`http://${host}`})`
  return db.transaction().execute(async (trx) => {
    const { rows: websites } = await sql`
      update cpa_websites set mapping = jsonb_set(mapping, '{base_url}', to_jsonb(${withCurrentHost(sql`mapping ->> 'base_url'`)}))
      where ${isDemoUrl(sql`mapping ->> 'base_url'`)} returning 1`.execute(trx)
    const { rows: couriers } = await sql`
      update courier_accounts set url = ${withCurrentHost(sql`url`)} where ${isDemoUrl(sql`url`)} returning 1`.execute(
      trx,
    )
    await sql`update source_credentials c set secret_hosts = null from cpa_websites w
      where w.cpa_source_id = c.source_id and ${isDemoUrl(sql`w.mapping ->> 'base_url'`)}`.execute(trx)
    await sql`update sync_states set failures = 0, paused_until = null, pause_reason = null
      where ${accounts}`.execute(trx)
    return websites.length + couriers.length > 0
  })
}

/** The job that makes the demo's accounts due every twenty seconds. Real accounts are due every five minutes. */
export const demoSyncsJob = ({ db }: { db: Db }): Job => ({
  name: 'demo-syncs',
  interval: 5000,
  timeout: 30_000,
  isExclusive: false,
  run: async () => {
    await sql`update sync_states set next_run_at = now() + interval '15 seconds'
      where next_run_at > now() + interval '20 seconds' and (${accounts})`.execute(db)
  },
})
