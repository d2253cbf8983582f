import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { duringDelete } from '../../../test/during-delete.ts'
import { openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { buildParcelEvent } from '../../../test/parcel.ts'
import { newOrderState } from './parcels.codes.ts'
import { ingestParcels } from './parcels.ingest.ts'
import { storeParcels } from './parcels.store.ts'

let database: LeadDatabase
let owners: [number, number]
let accounts: [number, number]

beforeAll(async () => {
  database = await openLeadDatabase()
  const [former, present] = await database.newBuyers(await database.newSource(), 2)
  owners = [former?.userId ?? 0, present?.userId ?? 0]
})
beforeEach(async () => {
  for (const table of ['parcel_events', 'parcels', 'courier_accounts'])
    await database.pool.query(`delete from ${table}`)
  accounts = [await newAccount(), await newAccount()]
})
afterAll(() => database.close())

async function newAccount(): Promise<number> {
  const account = { name: 'Courier', url: 'https://courier.example', login: 'l', user_id: owners[0] }
  const query = database.db.insertInto('courier_accounts').values(account).returning('id')
  return (await query.executeTakeFirstOrThrow()).id
}

const buildEvents = (orders: readonly string[], owner: number, courierStatus = 'ACCEPTED') =>
  orders.map((orderno) =>
    buildParcelEvent(orderno, courierStatus, { owner_id: owner, eventtime: '2026-11-20T10:00:00Z' }),
  )

/** The stored parcels, as lines of order number, owner, account and number of events. */
async function readParcels(): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `select concat_ws(' ', p.orderno, array_position($1, p.owner_id), coalesce(array_position($2, p.courier_account_id), 0),
       (select count(*) from parcel_events e where e.parcel_id = p.id)) as line from parcels p order by p.orderno, p.id`,
    [owners, accounts],
  )
  return rows.map(({ line }) => line)
}

test('the first account that reports a parcel is stored in it, and no other account replaces it', async () => {
  const [owner, otherOwner] = owners
  await ingestParcels(database.db, buildEvents(['a'], owner))
  expect(await readParcels()).toEqual(['a 1 0 1'])
  const [account, otherAccount] = accounts
  const result = { imported: 0, updated: 1, unchanged: 0 }
  expect(await ingestParcels(database.db, buildEvents(['a'], owner), account)).toEqual(result)
  expect(await readParcels()).toEqual(['a 1 1 1'])
  await ingestParcels(database.db, buildEvents(['a', 'b'], owner, 'DELIVERY'), otherAccount)
  expect(await readParcels()).toEqual(['a 1 1 2', 'b 1 2 1'])
  // The first account knows one of the orders, and the other one is of its present user.
  await ingestParcels(database.db, buildEvents(['a', 'b'], otherOwner, 'COMPLETE'), account)
  expect(await readParcels()).toEqual(['a 1 1 3', 'b 1 2 1', 'b 2 1 1'])
  const repeated = await ingestParcels(database.db, buildEvents(['a', 'b'], otherOwner, 'COMPLETE'), account)
  expect(repeated).toEqual({ imported: 0, updated: 0, unchanged: 2 })
})

test('a known parcel of the present user with the same number stays as it is', async () => {
  const [owner, otherOwner] = owners
  const [account] = accounts
  await ingestParcels(database.db, buildEvents(['a'], owner), account)
  await ingestParcels(database.db, buildEvents(['a'], otherOwner))
  await ingestParcels(database.db, buildEvents(['a'], otherOwner, 'COMPLETE'), account)
  expect(await readParcels()).toEqual(['a 1 1 2', 'a 2 0 1'])
})

test('each order has one parcel with its account and its events while runs and order files write together', async () => {
  const [owner] = owners
  const [account] = accounts
  const orders = Array.from({ length: 300 }, (_, n) => `o${String(n).padStart(3, '0')}`)
  const orderFile = buildEvents(orders, owner).map((event) => ({ ...event, state: newOrderState }))
  const write = async (work: (slice: readonly string[]) => Promise<unknown>, isReversed: boolean) => {
    const slices = Array.from({ length: 30 }, (_, n) => orders.slice(n * 10, n * 10 + 10))
    for (const slice of isReversed ? slices.toReversed() : slices) await work(slice)
  }
  const ingest = (courierStatus: string) => (slice: readonly string[]) =>
    ingestParcels(database.db, buildEvents(slice, owner, courierStatus), account)
  await Promise.all([
    write(ingest('ACCEPTED'), false),
    write(ingest('ACCEPTED'), true),
    write(ingest('COMPLETE'), true),
    storeParcels(database.db, orderFile, { isFromOrderFile: true }),
  ])
  const parcels = await readParcels()
  expect(parcels.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual(
    orders.map((orderno) => `${orderno} 1 1`),
  )
  expect(await database.countRows('parcels where status_code = $$DELIVERED$$')).toBe(orders.length)
  expect(await database.countRows(`parcel_events where raw_code in ('ACCEPTED', 'COMPLETE')`)).toBe(
    2 * orders.length,
  )
})

test('several batches of an account with the same new orders are stored at the same time', async () => {
  const [owner] = owners
  const [account] = accounts
  for (let round = 0; round < 100; round += 1) {
    const events = buildEvents(
      [1, 2, 3].map((n) => `r${round} ${n}`),
      owner,
    )
    await Promise.all([1, 2, 3, 4, 5].map(() => ingestParcels(database.db, events, account)))
  }
  expect(await database.countRows('parcels')).toBe(300)
})

test('the parcels of an account that is deleted meanwhile are stored without it', async () => {
  const [owner] = owners
  const [account] = accounts
  await duringDelete(database.pool, { table: 'courier_accounts', id: account }, () =>
    ingestParcels(database.db, buildEvents(['a'], owner), account),
  )
  expect(await readParcels()).toEqual(['a 1 0 1'])
})
