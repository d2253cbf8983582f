import { selectCount } from '@karvon/testkit/extent.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLeadDatabase, type LeadDatabase } from '../../../test/lead-database.ts'
import { listLedgerDifferences } from '../../../test/ledger-differences.ts'
import { playStep } from '../../../test/ledger-model.steps.ts'
import { readHistoryBalances, startHistory, type Step } from '../../../test/ledger-model.ts'
import { postQueuedLeads } from './ledger.leads.ts'

/** 2,000 histories took 23 minutes on 2 busy cores. */
const histories = selectCount({ short: 20, long: 2000 })
/** The check reads the whole database, which grows with each history. */
const checkedShare = Math.ceil(histories / 100)

let database: LeadDatabase

beforeAll(async () => {
  database = await openLeadDatabase()
  // The check leaves out leads that wait in the queue, which a new database has for all leads.
  await postQueuedLeads(database.db, new AbortController().signal)
})
afterAll(() => database.close())

const number = (max: number) => fc.integer({ min: 0, max })
const kind = <Kind extends Step['kind']>(value: Kind) => fc.constant(value)
const steps: { weight: number; arbitrary: fc.Arbitrary<Step> }[] = [
  {
    weight: 12,
    arbitrary: fc.record({
      kind: kind('report'),
      lead: number(5),
      stream: number(1),
      status: fc.constantFrom('sent', 'sold', 'sold', 'special', 'returned', 'trash', 'unknown'),
      payout: fc.oneof(fc.constant(0), number(300_000), number(300_000)),
      hour: fc.integer({ min: 1, max: 23 }),
    }),
  },
  // The person after the last one is nobody.
  { weight: 4, arbitrary: fc.record({ kind: kind('owner'), stream: number(1), person: number(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('terms'),
      scope: fc.constantFrom('person', 'offer', 'person and offer'),
      person: number(1),
      share: fc.option<number, null>(number(10_000), { nil: null }),
      fixed: number(100_000),
      holdDays: fc.constantFrom(0, 0, 7),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('day') }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('type'), code: fc.constantFrom('sold', 'send', 'returned') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('adjust'),
      person: number(1),
      amount: fc.integer({ min: -50_000, max: 100_000 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kind('request'), person: number(1), percent: number(120) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kind('decide'),
      withdrawal: number(9),
      action: fc.constantFrom('approve', 'approve', 'pay', 'pay', 'decline', 'cancel'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('network'), amount: number(200_000), isPaid: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('fold'), deltas: fc.integer({ min: 1, max: 9 }) }) },
]

test('no history of leads, owners, terms, types, corrections and payments breaks the balances or the sum of 0', async () => {
  let playedCount = 0
  const playHistory = async (list: readonly Step[]) => {
    const history = await startHistory(database)
    for (const step of list) {
      await playStep(history, step)
      const { stored, expected } = await readHistoryBalances(history)
      expect(stored).toEqual(expected)
    }
    playedCount += 1
    if (playedCount % checkedShare === 0) expect(await listLedgerDifferences(database.pool)).toEqual([])
  }
  const property = fc.asyncProperty(
    fc.array(fc.oneof(...steps), { minLength: 5, maxLength: 40 }),
    playHistory,
  )
  const result = await fc.check(property, { numRuns: histories, includeErrorInReport: true })
  expect(fc.defaultReportMessage(result)).toBeUndefined()
  expect(await listLedgerDifferences(database.pool)).toEqual([])
})
