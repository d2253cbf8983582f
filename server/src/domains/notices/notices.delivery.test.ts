import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import { runJob } from '../../../test/jobs.ts'
import { noticesJobs } from './notices.jobs.ts'
import { createNoticeReaders } from '../../app/notices.ts'

let telegram: FakeTelegram
let product: Product
let person: number

beforeAll(async () => {
  telegram = await startTelegram('1:token')
  const { root } = telegram
  product = await createTestApp(
    {},
    { telegram: { token: '1:token', chat: undefined, root, rate: null, answerWithin: 5000 } },
  )
  const [row] = await query<{ id: number }>('select id from users')
  person = row?.id ?? 0
})
afterAll(async () => {
  await product.close()
  await telegram.close()
})
beforeEach(async () => {
  telegram.mode = 'ok'
  telegram.faults = {}
  product.deps.config.telegram.rate = null
  telegram.messages.splice(0)
  for (const table of ['notices', 'telegram_links', 'telegram_chats']) await query(`delete from ${table}`)
  await query(`insert into telegram_links (user_id, chat_id) values (${person}, '501')`)
})

const query = async <Row>(text: string) =>
  (await product.deps.pool.query<Row & Record<string, unknown>>(text)).rows

const notice = (text: string) =>
  query(`insert into notices (user_id, kind, once, text) values (${person}, 'problem', '${text}', '${text}')`)

const rows = () => query(`select text, status, attempts, last_error, unsure from notices order by id`)

const due = () => query(`update notices set next_at = now() where status = 'queued'`)

/** Runs the job that sends notices once, like another process. */
async function run(): Promise<void> {
  await runJob(noticesJobs(product.deps, createNoticeReaders(product.deps), 0), 'notices')
}

test('a notice waits as long as a 429 asks, without an attempt, and its chat gets no other message meanwhile', async () => {
  telegram.mode = 'slow_down'
  await notice('a')
  await run()
  const waiting = { status: 'queued', attempts: 0, last_error: 'Too many requests: wait 7 s', unsure: false }
  expect(await rows()).toMatchObject([waiting])
  const calls = telegram.calls
  telegram.mode = 'ok'
  await notice('b')
  for (let runs = 0; runs < 3; runs += 1) {
    await due()
    await run()
  }
  expect(telegram.calls).toBe(calls)
  await query('update telegram_chats set paused_until = now()')
  await due()
  await run()
  expect(await rows()).toMatchObject([
    { text: 'a', status: 'sent', attempts: 1 },
    { text: 'b', status: 'sent', attempts: 1 },
  ])
  expect(telegram.messages).toHaveLength(2)
})

test.each([
  ['kicked', 'Telegram answered 403: Forbidden: bot was kicked from the group chat'],
  ['no_chat', 'Telegram answered 400: Bad Request: chat not found'],
] as const)(
  'a notice to a person who blocked the bot (%s) is refused with the reason',
  async (mode, last_error) => {
    telegram.mode = mode
    await notice('a')
    await run()
    telegram.mode = 'ok'
    await due()
    await run()
    expect(await rows()).toMatchObject([{ status: 'refused', attempts: 1, last_error }])
    expect(telegram.messages).toEqual([])
  },
)

test('an admin without the required second factor gets only notices about security', async () => {
  const { config } = product.deps
  config.requireSecondFactor = 'admins'
  onTestFinished(() => {
    config.requireSecondFactor = 'off'
  })
  await notice('a')
  await query(`insert into notices (user_id, kind, once, text) values (${person}, 'security', 'b', 'b')`)
  await run()
  expect(await rows()).toMatchObject([
    { status: 'refused', last_error: 'The person must set up a second factor first' },
    { status: 'sent' },
  ])
  await query(`update users set second_factor = true where id = ${person}`)
  await notice('c')
  await run()
  // A trigger sends a notice of the change too.
  expect(telegram.messages.map(({ text }) => text)).toEqual(['b', expect.any(String), 'c'])
})

test('a chat that must wait after a 429 does not delay the notices to other chats', async () => {
  await query(
    `insert into telegram_chats (configured, paused_until) values ('501', now() + interval '1 hour')`,
  )
  await notice('a')
  await notice('b')
  await query(`insert into notices (user_id, kind, once, text, chat_id)
    values (${person}, 'problem', 'c', 'c', '502')`)
  await run()
  expect(telegram.messages).toEqual([{ chat: '502', text: 'c' }])
  expect((await rows()).map(({ status }) => status)).toEqual(['queued', 'queued', 'sent'])
})

test('a chat that moved gets the notice at its new id, and later notices directly', async () => {
  telegram.mode = 'migrated'
  await notice('a')
  await run()
  const calls = telegram.calls
  await notice('b')
  await run()
  expect((await rows()).map(({ status, attempts }) => `${String(status)} ${String(attempts)}`)).toEqual([
    'sent 1',
    'sent 1',
  ])
  expect(telegram.calls - calls).toBe(1)
})

test('a notice whose answer was lost is marked as uncertain, and one that was refused is not', async () => {
  telegram.mode = 'broken'
  await notice('a')
  await run()
  expect(await rows()).toMatchObject([{ status: 'queued', attempts: 1, unsure: false }])
  telegram.mode = 'ok'
  telegram.faults = { lost: 1 }
  await due()
  await run()
  expect(await rows()).toMatchObject([{ status: 'queued', attempts: 2, unsure: true }])
})

test('notices to one chat are sent one after another in their order', async () => {
  product.deps.config.telegram.rate = { interval: 400, perMinute: 20 }
  for (const text of ['a', 'b', 'c']) await notice(text)
  const startTime = performance.now()
  // On a slow machine, some messages wait for the next run.
  for (let runs = 0; runs < 20 && telegram.messages.length < 3; runs += 1) {
    await due()
    await run()
  }
  expect(performance.now() - startTime).toBeGreaterThanOrEqual(800 - 10)
  expect(telegram.messages.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
})

test.each([
  ['are sent', null],
  ['are refused', 'infinity'],
])(
  '30 due notices of one person that %s delay the notice of another person by one',
  async (_, mutedUntil) => {
    const [other] = await query<{ id: number }>(
      `insert into users (username, name, email, password_hash, role_id)
     select 'other' || random(), 'Other', random() || '@example.uz', 'x', role_id from users limit 1 returning id`,
    )
    await query(`update telegram_links set muted_until = ${mutedUntil === null ? 'null' : `'${mutedUntil}'`}`)
    await query(`insert into telegram_links (user_id, chat_id) values (${other?.id}, '502')`)
    for (let n = 0; n < 30; n += 1) await notice(`a${n}`)
    await query(`insert into notices (user_id, kind, once, text) values (${other?.id}, 'problem', 'b', 'b')`)
    await run()
    const attempted = await query<{ text: string }>('select text from notices order by attempted_at')
    expect(attempted).toHaveLength(31)
    expect(attempted.slice(0, 3).map(({ text }) => text)).toEqual(['a0', 'b', 'a1'])
    expect(telegram.messages.filter(({ chat }) => chat === '502')).toEqual([{ chat: '502', text: 'b' }])
  },
)
