import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { runJob } from '../../../test/jobs.ts'
import { day } from '../../../test/moment.ts'
import { createUser, readOwnId } from '../../../test/people.ts'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { digestJob, type ReadDigestFigures } from './notices.digest.ts'
import { noticesJobs } from './notices.jobs.ts'
import { createNoticeReaders } from '../../app/notices.ts'

let telegram: FakeTelegram
let product: Product
let aziz: Session
let azizId: number

beforeAll(async () => {
  telegram = await startTelegram('1:token')
  product = await createTestApp({ KARVON_TELEGRAM_TOKEN: '1:token', KARVON_TELEGRAM_ROOT: telegram.root })
  const admin = await signInAdmin(product.app)
  aziz = await createUser(product.app, admin, 'aziz')
  azizId = await readOwnId(product.app, aziz)
})
afterAll(async () => {
  await product.close()
  await telegram.close()
})
beforeEach(async () => {
  telegram.messages.splice(0)
  await product.deps.pool.query('delete from notices')
  await product.deps.pool.query('delete from telegram_links')
})

const choose = (choice: object) => callApi(product.app, aziz, 'PUT', '/parcel/auth/telegram/', choice)
const link = () =>
  product.deps.pool.query(
    `insert into telegram_links (user_id, chat_id, linked_at) values ($1, '501', now())`,
    [azizId],
  )
/** Runs the job that sends notices once. */
async function run(): Promise<void> {
  const jobs = noticesJobs(
    product.deps,
    { ...createNoticeReaders(product.deps), figuresOf: async () => figures },
    0,
  )
  await runJob(jobs, 'notices')
}

const figures = { leads: 12, sold: 3, profit: 1234567.5, unit: 'USD' }
/** Runs `work` at a given hour of the installation's time zone. */
const runWorkAt = <T>(hour: number, work: (trx: Db) => Promise<T>) =>
  inTransaction(product.deps.db, async (trx) => {
    // The time of the transaction does not change, while the hour may change between two statements.
    const { rows } = await sql<{ hour: number }>`
      select extract(hour from now() at time zone 'UTC')::integer as hour`.execute(trx)
    const ahead = ((hour - (rows[0]?.hour ?? 0) + 36) % 24) - 12
    await sql.raw(`set local time zone interval '${ahead} hours' hour to minute`).execute(trx)
    return work(trx)
  })
const runJobOn = (trx: Db, figuresOf: ReadDigestFigures = async () => figures) =>
  digestJob(trx, figuresOf, { batchSize: 1 }).run(new AbortController().signal)
/** Runs the job once at a given hour. Answers yesterday. */
const runAt = (hour: number) =>
  runWorkAt(hour, async (trx) => {
    await runJobOn(trx)
    return (await sql<{ day: string }>`select to_char(current_date - 1, 'DD.MM.YYYY') as day`.execute(trx))
      .rows[0]?.day
  })

test('the digest is sent once a day from nine in the morning, to people who chose it', async () => {
  await link()
  await runAt(10)
  await choose({ digest: true })
  await runAt(8)
  await runAt(23)
  await run()
  expect(telegram.messages).toEqual([])
  const day = await runAt(9)
  await runAt(9)
  await run()
  const text = `Итоги за ${day}\nЛиды: 12\nПродано: 3\nДоход: 1\u00A0234\u00A0567,50 USD`
  expect(telegram.messages).toEqual([{ chat: '501', text }])
})

/** The first line of a digest of a number of days. `last` is the last day (dd.mm.yyyy). */
const headingOf = (last = '', days = 1) => {
  const endTime = Date.parse(last.split('.').toReversed().join('-'))
  const first = new Date(endTime - (days - 1) * day).toISOString().slice(0, 10)
  return `Итоги за ${first.split('-').toReversed().join('.')} – ${last}`
}
const headings = () => telegram.messages.map(({ text }) => text.split('\n')[0])

test.each([
  ['a pause of three days', 3, 3],
  ['a pause of 40 days', 40, 40],
  ['a pause of a year', 365, 45],
])('the digest covers the days of %s in one message', async (_, pause, expectedDays) => {
  await link()
  await choose({ digest: true })
  await product.deps.pool.query(`update telegram_links set linked_at = now() - interval '400 days',
    digest_since = now() - interval '400 days'`)
  const before = await runAt(12)
  await run()
  telegram.messages.splice(0)
  await product.deps.pool.query(
    `update notices set once = format('digest:%s:%s', user_id, to_date($1, 'DD.MM.YYYY') - $2::integer)`,
    [before, pause],
  )
  const last = await runAt(12)
  await runAt(12)
  await run()
  expect(headings()).toEqual([headingOf(last, expectedDays)])
})

test('the digest covers no day before the person chose it', async () => {
  await link()
  await product.deps.pool.query(`update telegram_links set linked_at = now() - interval '400 days'`)
  await choose({ digest: true })
  await product.deps.pool.query(`update telegram_links set digest_since = digest_since - interval '5 days'`)
  await choose({ digest: true, problems: false })
  const last = await runAt(12)
  await run()
  // The day on which the person turned the digest on, and the four days after it. Today is not complete.
  expect(headings()).toEqual([headingOf(last, 5)])
})

test('a person whose figures cannot be read delays no other person, and the run fails', async () => {
  const { pool } = product.deps
  await link()
  await choose({ digest: true })
  await pool.query(`insert into telegram_links (user_id, chat_id, linked_at, digest, digest_since)
    select id, '502', now(), true, now() from users where username = 'admin'`)
  const failure = new Error('The figures cannot be read')
  const readFigures = async ({ userId }: { userId: number }) => {
    if (userId === azizId) return figures
    throw failure
  }
  await runWorkAt(12, (trx) =>
    expect(runJobOn(trx, readFigures)).rejects.toMatchObject({ errors: [failure] }),
  )
  const { rows } = await pool.query(`select user_id from notices where kind = 'digest'`)
  expect(rows).toEqual([{ user_id: azizId }])
})
