import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildLead } from '../../../test/lead-database.ts'
import { createMoneyFixture, payment } from '../../../test/money.ts'
import { seedDefaultMappings } from '../leads/leads.default-mappings.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { ledgerCheck } from './ledger.check.ts'
import { foldLedgerDeltas } from './ledger.fold.queries.ts'
import { postQueuedLeads } from './ledger.leads.ts'

const { product, admin, call, createPerson, createWithdrawal, decide } = await createMoneyFixture()
afterAll(() => product.close())
const { db, pool } = product.deps

const insertRow = async (text: string, values: unknown[]) =>
  (await pool.query<{ id: number }>(`${text} returning id`, values)).rows[0]?.id ?? 0

/** Sold and returned leads on hold, an adjustment, a paid withdrawal and a sent one; folded in part. */
beforeAll(async () => {
  // The check leaves out leads that wait in the queue, which a new database has for all leads.
  await postQueuedLeads(db, new AbortController().signal)
  const buyer = await createPerson(1000)
  await insertRow(
    `insert into payout_terms (user_id, valid_from, earned_at, share, hold_days, minimum)
     values ($1, '2020-01-01', 'sold', 60, 9, 0)`,
    [buyer.id],
  )
  const sourceId = await insertRow(
    `insert into cpa_sources (name, url) values ('N', 'https://n.example')`,
    [],
  )
  await seedDefaultMappings(db, sourceId)
  const stream_id = await insertRow(`insert into streams (name, source_id, user_id) values ('S', $1, $2)`, [
    sourceId,
    buyer.id,
  ])
  const ingest = (id: string, source_status: string, updated_at: string) =>
    ingestLeads(db, {
      sourceId,
      leads: [buildLead(id, { source_status, stream_id, updated_at })],
      origin: 'connector',
    })
  await ingest('kept', 'sold', '2026-11-20T11:00:00Z')
  await ingest('lost', 'sold', '2026-11-20T11:00:00Z')
  while ((await foldLedgerDeltas(db)) > 0) continue
  await ingest('lost', 'returned', '2026-11-20T12:00:00Z')
  const id = await createWithdrawal(buyer, 400)
  await decide(admin, id, 'approve')
  await decide(admin, id, 'pay', payment)
  await decide(admin, await createWithdrawal(buyer, 50), 'approve')
  await call(admin, 'POST', '/api/admin/payment-registries/', { currency: 'UZS' })
})

/** The faults that the check finds after the statements, which are rolled back. */
async function findFaults(...texts: string[]): Promise<readonly string[]> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('grant update, delete on ledger_entries to current_user')
    await client.query('alter table ledger_entries disable trigger user')
    await client.query('alter table leads disable trigger user')
    for (const text of texts) expect((await client.query(text)).rowCount, text).toBeGreaterThan(0)
    return (await ledgerCheck.run(client)).faults
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('the check finds no fault in an untouched ledger', async () => {
  expect(await findFaults()).toEqual([])
})

test('the check says that it leaves out leads that wait in the queue', async () => {
  const text = 'insert into lead_posting_queue default values'
  const change = `update leads set payout = payout + 1 where external_id = 'kept'`
  expect(await findFaults(text, change)).toEqual([])
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(text)
    expect((await ledgerCheck.run(client)).summary).toMatch(/ entries; leads of 1 change wait for the job$/)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

const lead = `cause_type = 'lead'`
const sums = 'accounts whose balance is not the sum of their entries'
const state = 'entries of leads that are not those of their state'
const registryFault = 'payment registries that differ from their payments'
const otherFault = 'entries that differ from their adjustments and paid withdrawals'
test.each<[string, string, string]>([
  [
    'an entry with another amount',
    `update ledger_entries set amount = amount + 0.01 where ${lead} and account_kind = 'network' and amount > 0`,
    'causes whose entries do not sum to 0',
  ],
  [
    'two entries with other amounts',
    `update ledger_entries set amount = amount * 2 where ${lead}
     and cause_id in (select id from leads where external_id = 'kept')`,
    state,
  ],
  [
    'a sale without entries',
    `delete from ledger_entries where ${lead} and cause_id in (select id from leads where external_id = 'kept')`,
    state,
  ],
  [
    'a return without entries',
    `delete from ledger_entries where ${lead} and id in (select id from (
       select id, row_number() over (partition by account_kind order by id desc) as n from ledger_entries where ${lead}) e
       where n = 1)`,
    state,
  ],
  [
    'an entry of another person',
    `update ledger_entries set ref_id = ref_id + 1 where ${lead} and account_kind = 'person'`,
    sums,
  ],
  [
    'an entry with another day of availability',
    `update ledger_entries set available_on = available_on - 3 where ${lead} and account_kind = 'person'`,
    'days on which money becomes available that are not the sum of their entries',
  ],
  [
    'an entry of another day',
    `update ledger_entries set created_at = created_at - interval '2 days' where account_kind = 'paid'`,
    'days of accounts that are not the sum of their entries',
  ],
  [
    'entries without a lead',
    `insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount)
     values ('lead', 999999999, 'network', 1, 'UZS', 5), ('lead', 999999999, 'margin', 0, 'UZS', -5)`,
    'entries of leads that do not exist',
  ],
  ['a lead with another payout', `update leads set payout = payout + 1 where external_id = 'kept'`, state],
  ['an adjustment with another amount', 'update ledger_adjustments set amount = amount - 1', otherFault],
  ['a payment that was taken back', `update withdrawals set status = 'approved'`, otherFault],
  [
    'a payment to another person',
    `update ledger_entries set ref_id = ref_id + 1 where cause_type = 'withdrawal' and account_kind = 'person'`,
    otherFault,
  ],
  ['another sum of a registry', 'update payment_registries set amount = amount + 0.01', registryFault],
  ['a sent withdrawal that its registry lacks', 'delete from registry_payments', registryFault],
  ['another balance', 'update ledger_balances set amount = amount + 0.01', sums],
  ['another number of entries', 'update ledger_balances set entries = entries + 1', sums],
  ['another delta', 'update ledger_deltas set amount = amount - 0.01', sums],
  [
    'another total of entries',
    'update ledger_entry_count set entries = entries - 1',
    'numbers of entries that are not those of the table',
  ],
  [
    'another sum of a day',
    'update ledger_days set amount = amount + 0.01',
    'days of accounts that are not the sum of their entries',
  ],
  [
    'another sum on hold',
    'update ledger_holds set amount = amount + 0.01',
    'days on which money becomes available that are not the sum of their entries',
  ],
])('the check finds %s', async (_, text, fault) => {
  expect((await findFaults(text)).join('\n')).toContain(fault)
})
