import { createWithdrawal } from '../src/domains/payouts/payouts.request.ts'
import { readBalances } from '../src/domains/payouts/payouts.balance.ts'
import { decideWithdrawal } from '../src/domains/payouts/payouts.decide.ts'
import { inTransaction } from '../src/platform/database/transaction.ts'
import { createEncryption } from '../src/platform/security/encryption.ts'
import { testKey } from './app.ts'
import type { LeadDatabase } from './lead-database.ts'
import type { LeadHistory } from './lead-histories.ts'

// Counts the balances of leads without any code or SQL of the ledger. Amounts are in hundredths.

interface Stream {
  sourceId: number
  offerId: number
  personId: number | null
}

interface Terms {
  personId: number | null
  offerId: number | null
  validFrom: string
  share: number | null
  fixed: number | null
  holdDays: number
}

export interface MoneyReferences {
  people: number[]
  streams: Stream[]
  terms: Terms[]
  days: string[]
}

const offersOfSource = 7

/** Creates people, sources, offers and streams, one of six without an owner, and terms of each scope. */
export async function addMoneyReferences(database: LeadDatabase): Promise<MoneyReferences> {
  const insert = async (text: string, values: unknown[]) =>
    (await database.pool.query<{ id: number }>(`${text} returning id`, values)).rows[0]?.id ?? 0
  const people: number[] = []
  for (let i = 0; i < 5; i += 1)
    people.push(
      await insert(
        `insert into users (username, name, email, password_hash, role_id)
         select $1, $1, $1 || '@example.uz', 'x', id from roles where code = 'user'`,
        [`earner-${i}`],
      ),
    )
  const sources = [await database.newSource(), await database.newSource(), await database.newSource()]
  const offers = new Map<string, number>()
  for (const sourceId of sources)
    for (let i = 0; i < offersOfSource; i += 1)
      offers.set(
        `${sourceId} ${i}`,
        await insert(
          `insert into offers (name, price, affiliate_fee, status_id, source_id, extra_id)
           select 'Offer', 1, 1, min(id), $1, $2 from statuses`,
          [sourceId, String(i)],
        ),
      )
  const streams: Stream[] = []
  for (let i = 0; i < 24; i += 1) {
    const sourceId = sources[i % sources.length] ?? 0
    const personId = people[i % 6] ?? null
    await insert(`insert into streams (name, source_id, user_id, extra_id) values ('Stream', $1, $2, $3)`, [
      sourceId,
      personId,
      String(i),
    ])
    streams.push({ sourceId, personId, offerId: offers.get(`${sourceId} ${i % offersOfSource}`) ?? 0 })
  }
  const [first = 0, second = 0, third = 0] = people
  const offer = streams[1]?.offerId ?? 0
  const terms = [
    createTerms({ share: 90, holdDays: 7 }),
    createTerms({ personId: first, share: 77.77, holdDays: 14 }),
    createTerms({ personId: first, validFrom: '2026-03-05', fixed: 150_025 }),
    createTerms({ offerId: streams[3]?.offerId ?? 0, share: 33.33, holdDays: 3 }),
    createTerms({ personId: second, share: 12.34 }),
    createTerms({ personId: second, offerId: offer, fixed: 9999 }),
    createTerms({ personId: third, validFrom: '2026-03-03', share: 0 }),
  ]
  for (const termsRow of terms)
    await insert(
      `insert into payout_terms (user_id, offer_id, valid_from, earned_at, share, fixed, hold_days, minimum)
       values ($1, $2, $3, 'sold', $4, $5::numeric / 100, $6, 0)`,
      [
        termsRow.personId,
        termsRow.offerId,
        termsRow.validFrom,
        termsRow.share,
        termsRow.fixed,
        termsRow.holdDays,
      ],
    )
  const days = Array.from({ length: 9 }, (_, i) => `2026-03-0${i + 1}`)
  return { people, streams, terms, days: ['2025-12-31', ...days] }
}

const createTerms = (terms: Partial<Terms>): Terms => ({
  personId: null,
  offerId: null,
  validFrom: '2026-01-01',
  share: null,
  fixed: null,
  holdDays: 0,
  ...terms,
})

function findTerms({ terms, streams }: MoneyReferences, { day, stream }: LeadHistory): Terms | undefined {
  const { personId, offerId } = streams[stream] ?? {}
  const scopes = [
    { personId, offerId },
    { personId, offerId: null },
    { personId: null, offerId },
    { personId: null, offerId: null },
  ]
  for (const scope of scopes) {
    const valid = terms.filter(
      (termsRow) =>
        termsRow.personId === scope.personId &&
        termsRow.offerId === scope.offerId &&
        termsRow.validFrom <= day,
    )
    const newest = valid.toSorted((a, b) => b.validFrom.localeCompare(a.validFrom))[0]
    if (newest !== undefined) return newest
  }
  return undefined
}

/** The balances after leads and payments, by account, and what is on hold, by person. */
export function recountBalances(
  histories: readonly LeadHistory[],
  references: MoneyReferences,
  paidSums: ReadonlyMap<number, number>,
): Record<string, number> {
  const sums: Record<string, number> = {}
  const add = (account: string, amount: number) => void (sums[account] = (sums[account] ?? 0) + amount)
  for (const history of histories) {
    if (history.reversal !== 'none') continue
    const { payout, sourceId, stream } = history
    const personId = references.streams[stream]?.personId ?? null
    const terms = findTerms(references, history)
    const part =
      personId === null
        ? 0
        : (terms?.fixed ?? Math.round((payout * Math.round((terms?.share ?? 100) * 100)) / 10_000))
    add(`network ${sourceId}`, payout)
    add('margin 0', part - payout)
    add(`person ${personId}`, -part)
    if ((terms?.holdDays ?? 0) > 0) add(`on hold ${personId}`, -part)
  }
  for (const [personId, amount] of paidSums) {
    add(`person ${personId}`, amount)
    add('paid 0', -amount)
  }
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0))
}

/** The balances of the ledger, by account, and what is on hold, by person. */
export async function readStoredBalances({ pool }: LeadDatabase): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ account: string; amount: number }>(
    `select account, (sum(amount) * 100)::bigint as amount from (
       select account_kind || ' ' || ref_id as account, amount from ledger_balances
       union all select account_kind || ' ' || ref_id, amount from ledger_deltas
       union all select 'on hold ' || ref_id, amount from ledger_holds where available_on > current_date
       union all select 'on hold ' || ref_id, amount from ledger_deltas where available_on > current_date
     ) s group by 1 having sum(amount) <> 0`,
  )
  return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]))
}

/** Pays half of what is available to each person. Returns the amounts. */
export async function payHalf(
  { db }: LeadDatabase,
  { people }: MoneyReferences,
): Promise<Map<number, number>> {
  const paidSums = new Map<number, number>()
  const settings = { encryption: createEncryption([testKey]), config: { currency: 'UZS' } }
  for (const userId of people) {
    const [balance] = await readBalances(db, [userId])
    const half = Math.floor(((balance?.available ?? 0) * 100) / 2)
    if (half <= 0) continue
    const request = { userId, currency: 'UZS', amount: half / 100, details: 'Card' }
    const id = await inTransaction(db, (trx) => createWithdrawal(trx, settings, request))
    for (const decision of [
      { action: 'approve' },
      { action: 'pay', paidOn: '2026-03-10', reference: 'PAY' },
    ] as const)
      await inTransaction(db, (trx) => decideWithdrawal(trx, { id, userId, ...decision }))
    paidSums.set(userId, half)
  }
  return paidSums
}
