import { afterEach, beforeEach, expect, test } from 'vitest'
import { TEST_TIMEZONE } from '../../../test/database.ts'
import { buildParcelEvent } from '../../../test/parcel.ts'
import { openUpgradeDatabase, type UpgradeDatabase } from '../../../test/upgrade.ts'
import { openDb, openPool } from '../../platform/database/pool.ts'
import { ingestParcels } from './parcels.ingest.ts'

let database: UpgradeDatabase

beforeEach(async () => {
  database = await openUpgradeDatabase()
})
afterEach(() => database[Symbol.asyncDispose]())

test('an upgrade leaves stored parcels without an account, and the next event of their courier account keeps their owner', async () => {
  await database.migrate('0078_alert_rules_of_roles.sql')
  await database.client.query(`
    insert into users (username, name, email, password_hash, role_id)
      select n, n, n, '-', (select min(id) from roles) from unnest(array['aziz', 'malika']) n;
    insert into courier_accounts (name, url, login, user_id)
      select 'Courier', 'https://courier.example', '-', id from users where username = 'aziz';
    insert into parcels (orderno, owner_id, day, status_code, status_raw, status_title, eventtime)
      select 'K-1', id, '2026-11-20', 'PROCESSING', 'ACCEPTED', '-', '2026-11-20 10:00+05' from users`)
  await database.migrate()
  const readParcels = () =>
    database.readColumn<string>(`select format('%s: %s, %s', u.name, p.status_code, coalesce(c.name, 'none')) from parcels p
      join users u on u.id = p.owner_id left join courier_accounts c on c.id = p.courier_account_id order by u.id`)
  expect(await readParcels()).toEqual(['aziz: PROCESSING, none', 'malika: PROCESSING, none'])
  const [aziz = 0, malika = 0] = await database.readColumn<number>(
    'select id::integer from users order by id',
  )
  const [account = 0] = await database.readColumn<number>('select id::integer from courier_accounts')
  const pool = openPool(database.url, { timezone: TEST_TIMEZONE })
  try {
    const report = (courierStatus: string, owner_id: number) =>
      ingestParcels(
        openDb(pool),
        [buildParcelEvent('K-1', courierStatus, { owner_id, eventtime: '2026-11-21 10:00+05' })],
        account,
      )
    await report('DELIVERY', aziz)
    await report('COMPLETE', malika)
  } finally {
    await pool.end()
  }
  expect(await readParcels()).toEqual(['aziz: DELIVERED, Courier', 'malika: PROCESSING, none'])
})
