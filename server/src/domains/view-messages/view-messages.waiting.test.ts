import { maxViewReceivers } from '@karvon/contract/lib/limits.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { callApi, createTestAppOn } from '../../../test/app.ts'
import { dailySchedule, openScheduledViews } from '../../../test/scheduled-views.ts'
import { createReceiverCalls } from '../../app/receiver-calls.ts'
import { openMailer } from '../../platform/mail/mail.ts'
import { leaseRow } from '../../platform/queue/queue.rows.ts'
import type { ReceiverCalls } from './view-messages.calls.ts'
import { viewMessagesJobs } from './view-messages.jobs.ts'
import { sendViewMessage } from './view-messages.send.ts'

const views = await openScheduledViews('/leads')
afterAll(() => views.close())
beforeEach(() => views.reset())
const { product, query, call, create, send, run, messages, makeDue, telegram, smtp, admin, lola, role } =
  views
const { deps } = product

test('a view that is deleted while its message waits or is sent sends nothing', async () => {
  const { id } = await create(lola)
  await send(lola, id)
  const row = await leaseRow(deps.pool, 'view_messages')
  expect(row).not.toBeNull()
  expect((await callApi(product.app, lola, 'DELETE', `/api/views/${id}/`)).statusCode).toBe(200)
  const calls = createReceiverCalls(deps)
  const message = { telegram: null, mailer: null, calls, id: row?.id ?? 0, hours: 6 }
  expect(await sendViewMessage(deps, message, new AbortController().signal)).toMatchObject({
    kind: 'rejected',
  })
  const other = await create(lola)
  await send(lola, other.id)
  await callApi(product.app, lola, 'DELETE', `/api/views/${other.id}/`)
  await run('view-messages')
  expect(await messages()).toEqual([])
  expect([...telegram.messages, ...telegram.files]).toEqual([])
})

test('a view whose figures are read for longer than its lease is sent by the next process alone', async () => {
  const { id } = await create(lola, { ...dailySchedule, channel: 'mail' })
  await send(lola, id)
  const row = await leaseRow(deps.pool, 'view_messages')
  const calls = createReceiverCalls(deps)
  let hasNextRun = false
  const read: ReceiverCalls['read'] = async (receiverCall) => {
    if (!hasNextRun) {
      hasNextRun = true
      await query(`update view_messages set leased_until = now() - interval '1 second'`)
      await run('view-messages')
    }
    return calls.read(receiverCall)
  }
  const { smtpUrl, from } = deps.config.mail
  if (smtpUrl === undefined || from === undefined) throw new Error('The test has no mail server')
  const mailer = openMailer(smtpUrl, from)
  const message = { telegram: null, mailer, calls: { ...calls, read }, id: row?.id ?? 0, hours: 6 }
  const failure = await sendViewMessage(
    deps,
    // No preparation is that short.
    { ...message, maxPreparation: 0 },
    new AbortController().signal,
  )
  expect(smtp.accepted).toHaveLength(1)
  expect(failure).toMatchObject({ kind: 'temporary', mayHaveArrived: false })
})

test('a waiting view is not sent to a chat that was unlinked', async () => {
  const { id } = await create(lola)
  await send(lola, id)
  await query(`delete from telegram_links`)
  await run('view-messages')
  expect(await messages()).toMatchObject([{ status: 'refused', reason: { code: 'chat_not_linked' } }])
  await query(
    `insert into telegram_links (user_id, chat_id) select id, '77' from users where username = 'lola'`,
  )
  await run('view-messages')
  expect(telegram.messages).toEqual([])
})

test('a waiting view is sent by the present channel of its schedule', async () => {
  const { id } = await create(lola)
  await send(lola, id)
  await call(lola, 'PUT', `/api/views/${id}/`, { schedule: { ...dailySchedule, channel: 'mail' } })
  await run('view-messages')
  expect(telegram.messages).toEqual([])
  expect(smtp.accepted.map(({ to }) => to)).toEqual([['lola@example.uz']])
  expect(await messages()).toMatchObject([{ status: 'sent' }])
})

test('the waiting views of a deleted person are removed, and the others are sent', async () => {
  const [vali] = await query(
    `insert into users (username, name, email, password_hash, role_id) values ('vali', 'Vali', 'vali@example.uz', 'x', $1)
     returning id`,
    [role],
  )
  await create(admin, { ...dailySchedule, includes_roles: true }, { shared_role_ids: [role] })
  await makeDue()
  await run('view-schedules')
  expect((await messages()).map(({ username }) => username)).toEqual(['admin', 'lola', 'vali'])
  await query('delete from users where id = $1', [vali?.id])
  await run('view-messages')
  expect(await messages()).toMatchObject([
    { username: 'admin', status: 'sent' },
    { username: 'lola', status: 'sent' },
  ])
})

test('two processes queue and send each scheduled view once', async () => {
  const { databaseUrl } = product
  const { telegram: settings, mail, publicUrl } = deps.config
  const other = await createTestAppOn(databaseUrl, {}, { telegram: settings, mail, publicUrl })
  try {
    // Both apps of this test share the limits of exports of one process, and only an admin may run two exports at once.
    for (let n = 0; n < 10; n += 1) await create(admin, dailySchedule, { name: `View ${n}` })
    await makeDue()
    const jobs = [deps, other.deps].map((some) => viewMessagesJobs(some, createReceiverCalls(some), 0))
    for (const name of ['view-schedules', 'view-messages'])
      await Promise.all(
        jobs
          .flat()
          .filter((job) => job.name === name)
          .map(async (job) => job.run(new AbortController().signal)),
      )
    expect((await messages()).filter(({ status }) => status !== 'sent')).toEqual([])
    expect(telegram.messages).toHaveLength(10)
    expect(new Set(telegram.messages.map(({ text }) => text.split('\n')[0])).size).toBe(10)
    expect(telegram.files).toHaveLength(10)
  } finally {
    await other.close()
  }
})

test('a view that a large role gets is queued for a limited number of people, its owner among them', async () => {
  await query(
    `insert into users (username, name, email, password_hash, role_id)
     select 'many' || n, 'Many', 'many' || n || '@example.uz', 'x', $1 from generate_series(1, $2::integer) n`,
    [role, maxViewReceivers + 20],
  )
  try {
    await create(admin, { ...dailySchedule, includes_roles: true }, { shared_role_ids: [role] })
    await makeDue()
    await run('view-schedules')
    const receivers = (await messages()).map(({ username }) => username)
    expect(receivers).toHaveLength(maxViewReceivers)
    expect(receivers).toContain('admin')
  } finally {
    await query(`delete from users where username like 'many%'`)
  }
})
