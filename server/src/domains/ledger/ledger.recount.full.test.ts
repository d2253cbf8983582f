import { selectCount } from '@karvon/testkit/extent.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import {
  addMoneyReferences,
  payHalf,
  recountBalances,
  readStoredBalances,
  type MoneyReferences,
} from '../../../test/ledger-recount.ts'
import { createHistories, readReports, type LeadHistory } from '../../../test/lead-histories.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { compareLedger } from './ledger.check.queries.ts'
import { foldLedgerDeltas } from './ledger.fold.queries.ts'
import { postQueuedLeads } from './ledger.leads.ts'

/**
 * A million leads have 200,000 reversals, 66,667 of them after the payment. On 2 busy cores they took 17 minutes.
 */
const leads = selectCount({ short: 3000, long: 1_000_000 })
const batchSize = 1000
const writers = 2

let database: LeadDatabase
let references: MoneyReferences

beforeAll(async () => {
  database = await openLeadDatabase()
  references = await addMoneyReferences(database)
  // The check leaves out leads that wait in the queue, which a new database has for all leads.
  await postQueuedLeads(database.db, new AbortController().signal)
})
afterAll(() => database.close())

/** Several writers ingest the reports in batches. The fold job works in between. */
async function ingestAll(reports: ReturnType<typeof readReports>): Promise<void> {
  let next = 0
  const write = async () => {
    while (next < reports.length) {
      const batch = reports.slice(next, (next += batchSize))
      for (const [sourceId, ownReports] of Map.groupBy(batch, (report) => report.sourceId))
        await ingestLeads(database.db, {
          sourceId,
          leads: ownReports.map(({ lead }) => lead),
          origin: 'connector',
        })
      if (next % (20 * batchSize) === 0) await foldLedgerDeltas(database.db)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
}

async function readFaults(): Promise<string[]> {
  const client = await database.pool.connect()
  try {
    // As in the check command, which may read many leads.
    await client.query('set statement_timeout = 0')
    const results = await compareLedger(client)
    return results.filter(({ differing }) => differing > 0).map(({ description }) => description)
  } finally {
    client.release()
  }
}

async function expectBalances(histories: readonly LeadHistory[], paidSums: ReadonlyMap<number, number>) {
  expect(await readStoredBalances(database)).toEqual(recountBalances(histories, references, paidSums))
  const { rows } = await database.pool.query<{ sum: number }>('select sum(amount) as sum from ledger_entries')
  expect(rows).toEqual([{ sum: 0 }])
}

test('the balances equal an independent recount after reversals before and after a payment, in random order and repeated', async () => {
  const histories = createHistories(references, leads)
  const reversedHistories = histories.filter(({ reversal }) => reversal !== 'none')
  expect(reversedHistories).toHaveLength(leads / 5)
  await ingestAll(readReports(histories, 'before payment'))
  const noPayments = new Map<number, number>()
  await expectBalances(
    histories.map((history) =>
      history.reversal === 'after payment' ? { ...history, reversal: 'none' } : history,
    ),
    noPayments,
  )
  const paidSums = await payHalf(database, references)
  expect(paidSums.size).toBe(references.people.length)
  await ingestAll(readReports(histories, 'after payment'))
  await expectBalances(histories, paidSums)
  while ((await foldLedgerDeltas(database.db)) > 0) continue
  await expectBalances(histories, paidSums)
  expect(await readFaults()).toEqual([])
  const { rows } = await database.pool.query<{ entries: number; reversals: number }>(
    `select count(*)::integer as entries, count(*) filter (where account_kind = 'network' and amount < 0)::integer
         as reversals from ledger_entries where cause_type = 'lead'`,
  )
  // A return that arrives before its sale reverses nothing.
  expect(rows[0]?.reversals).toBeGreaterThan(leads / 15)
  expect(rows[0]?.reversals).toBeLessThan(leads / 5)
})
