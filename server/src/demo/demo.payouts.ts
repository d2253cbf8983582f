import { sql } from 'kysely'
import type { Db } from '../platform/database/pool.ts'
import { dayMilliseconds, formatDay, type LocalClock } from './demo.clock.ts'
import type { DemoMoney } from './demo.parts.ts'

const currency = 'UZS'
/** Withdrawals are of whole amounts of this size. */
const step = 100_000

/** The terms of everybody, of Malika and of one offer. `days`: before today; older terms stay, and one starts later. */
const terms = [
  { username: null, offer: null, days: 120, share: 60, fixed: null, hold_days: 7 },
  { username: null, offer: null, days: 40, share: 65, fixed: null, hold_days: 5 },
  { username: 'malika', offer: null, days: 60, share: 70, fixed: null, hold_days: 5 },
  { username: null, offer: 'Smart soat X9', days: 60, share: null, fixed: 24_000, hold_days: 5 },
  { username: null, offer: null, days: -14, share: 68, fixed: null, hold_days: 5 },
]

/** The payment details of the people. The numbers are invented, and last, because masked details show their end. */
const details: Readonly<Record<string, string>> = {
  aziz: 'Karimov Aziz, 8600 1403 2277 4815',
  malika: 'To‘xtayeva Malika, 9860 0801 5512 9034',
  sardor: 'Rahimov S., 8600 3121 0047 7719',
  olcha: 'OOO Olcha Market, 2020 8000 4055 1234 5001',
}

/** Paid withdrawals of the whole available amount, by the days since the payment. Oldest first. */
const payments = [
  { username: 'aziz', days: 38 },
  { username: 'malika', days: 30 },
  { username: 'olcha', days: 26 },
  { username: 'aziz', days: 16 },
  { username: 'malika', days: 11 },
  { username: 'olcha', days: 10 },
]

/** Withdrawals of one payment registry: a share of the available amount. The bank has paid one of them. */
const registryPayments = [
  { username: 'malika', share: 0.4, isPaid: true },
  { username: 'sardor', share: 0.5, isPaid: false },
  { username: 'olcha', share: 0.5, isPaid: false },
]

/** Open requests: a share of the available amount, and the hours since the request. */
const requests = [
  { username: 'aziz', share: 0.8, hours: 20 },
  { username: 'malika', share: 0.5, hours: 3 },
]

/** Creates the payout terms. Leads of their days earn by them, so this comes before the leads. */
export async function createPayoutTerms(trx: Db, today: number): Promise<void> {
  const rows = terms.map(({ username, offer, days, ...row }) => ({
    ...row,
    user: username,
    offer,
    valid_from: formatDay(today - days * dayMilliseconds),
  }))
  await sql`
    insert into payout_terms (user_id, offer_id, valid_from, earned_at, share, fixed, currency, hold_days, minimum, created_by)
    select u.id, o.id, t.valid_from, 'sold', t.share, t.fixed, case when t.fixed is not null then ${currency} end, t.hold_days, ${step}, ${firstAdmin}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      t ("user" text, offer text, valid_from date, share numeric, fixed numeric, hold_days int)
    left join users u on u.username = t."user" left join offers o on o.name = t.offer`.execute(trx)
}

const firstAdmin = sql`(select min(u.id) from users u join roles r on r.id = u.role_id where r.code = 'admin')`

interface Context {
  money: DemoMoney
  today: number
  adminId: number
  /** By usernames. */
  userIds: ReadonlyMap<string, number>
}

/**
 * Stores withdrawals of the last weeks, a payment registry, two open requests, a declined one, an adjustment, and
 * the closed statements of the previous month.
 */
export async function createPayouts(trx: Db, part: { money: DemoMoney; clock: LocalClock }): Promise<void> {
  const people = await trx.selectFrom('users').select(['id', 'username']).orderBy('id').execute()
  const { rows } = await sql<{ id: number }>`select ${firstAdmin} as id`.execute(trx)
  const context = {
    money: part.money,
    today: part.clock.today,
    adminId: rows[0]?.id ?? 0,
    userIds: new Map(people.map(({ id, username }) => [username, id])),
  }
  for (const { username, days } of payments) await payWithdrawal(trx, context, { username, days })
  await declineWithdrawal(trx, context, 'sardor')
  await sendToBank(trx, context)
  for (const { username, share, hours } of requests) {
    const id = await requestWithdrawal(trx, context, { username, share, day: null })
    await sql`update withdrawals set requested_at = now() - make_interval(hours => ${hours}) where id = ${id}`.execute(
      trx,
    )
  }
  await part.money.adjust(trx, {
    userId: getUser(context, 'aziz'),
    currency,
    amount: -75_000,
    reason: 'Бонус за план прошлого месяца',
    adminId: context.adminId,
  })
  const end = part.clock.month - dayMilliseconds
  const start = new Date(end).setUTCDate(1)
  for (const username of ['aziz', 'malika', 'olcha'])
    await part.money.closeStatement(
      trx,
      {
        user_id: getUser(context, username),
        currency,
        start_date: formatDay(start),
        end_date: formatDay(end),
      },
      context.adminId,
    )
}

function getUser({ userIds }: Context, username: string): number {
  const id = userIds.get(username)
  if (id === undefined) throw new Error(`The demo has no person ${username}`)
  return id
}

/** Requests a share of what is available, now or on a day. Answers null if it is less than a withdrawal. */
async function requestWithdrawal(
  trx: Db,
  context: Context,
  { username, share, day }: { username: string; share: number; day: string | null },
): Promise<number | null> {
  const userId = getUser(context, username)
  const { rows } = await sql<{ available: string }>`
    select coalesce(-sum(amount), 0)::text as available from ledger_entries
    where account_kind = 'person' and ref_id = ${userId} and currency = ${currency}
      and coalesce(available_on, created_at::date) <= coalesce(${day}::date, current_date)`.execute(trx)
  const amount = Math.floor((Number(rows[0]?.available) * share) / step) * step
  if (amount < step) return null
  return context.money.requestWithdrawal(trx, { userId, currency, amount, details: details[username] ?? '' })
}

async function payWithdrawal(
  trx: Db,
  context: Context,
  { username, days }: { username: string; days: number },
): Promise<void> {
  const day = formatDay(context.today - days * dayMilliseconds)
  const id = await requestWithdrawal(trx, context, { username, share: 1, day })
  if (id === null) return
  await context.money.decideWithdrawal(trx, { id, userId: context.adminId, action: 'approve' })
  await recordPayment(trx, context, { id, days })
}

async function recordPayment(
  trx: Db,
  { money, today, adminId }: Context,
  { id, days }: { id: number; days: number },
): Promise<void> {
  await money.decideWithdrawal(trx, {
    id,
    userId: adminId,
    action: 'pay',
    paidOn: formatDay(today - days * dayMilliseconds),
    reference: `${4100 + id}`,
  })
  await setTimes(trx, id, days)
}

/** Sends withdrawals to the bank two days ago, a day after their approval. A payment was recorded yesterday. */
async function sendToBank(trx: Db, context: Context): Promise<void> {
  const { money, adminId } = context
  const paidIds: number[] = []
  for (const { username, share, isPaid } of registryPayments) {
    const id = await requestWithdrawal(trx, context, { username, share, day: null })
    if (id === null) continue
    await money.decideWithdrawal(trx, { id, userId: adminId, action: 'approve' })
    await setTimes(trx, id, 3)
    if (isPaid) paidIds.push(id)
  }
  const registryId = await money.createRegistry(trx, currency, adminId)
  await sql`update payment_registries set created_at = current_date - 2 + interval '10 hours'
    where id = ${registryId}`.execute(trx)
  for (const id of paidIds) await recordPayment(trx, context, { id, days: 1 })
}

async function declineWithdrawal(trx: Db, context: Context, username: string): Promise<void> {
  const id = await requestWithdrawal(trx, context, { username, share: 0.5, day: null })
  if (id === null) return
  await context.money.decideWithdrawal(trx, {
    id,
    userId: context.adminId,
    action: 'decline',
    reason: 'Имя на карте не совпадает с именем в профиле',
  })
  await setTimes(trx, id, 5)
}

/** Sets the times of a decided withdrawal: asked for in the evening, decided at noon two days later. */
async function setTimes(trx: Db, id: number, days: number): Promise<void> {
  await sql`update withdrawals set decided_at = current_date - ${days}::int + interval '12 hours',
    requested_at = current_date - ${days + 2}::int + interval '19 hours' where id = ${id}`.execute(trx)
}
