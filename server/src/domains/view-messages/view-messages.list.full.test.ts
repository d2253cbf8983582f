import { viewScreens } from '@karvon/contract/view-screens.ts'
import type { Figures } from '@karvon/contract/reports/reports.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readSheet } from '../../../test/exports.ts'
import { runJob } from '../../../test/jobs.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { ago, day } from '../../../test/moment.ts'
import { dailySchedule, openScheduledViews, type ScheduledViews } from '../../../test/scheduled-views.ts'
import type { Session } from '../../../test/app.ts'
import { createReceiverCalls } from '../../app/receiver-calls.ts'
import { deriveColumns } from '../../platform/exports/exports.columns.ts'
import { maxMessageFileRows } from '../../platform/limits/limits.ts'
import { Identities } from '../../platform/security/identities.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import type { ReceiverCalls } from './view-messages.calls.ts'
import { columnTexts } from './view-messages.columns.ts'
import { viewMessagesJobs } from './view-messages.jobs.ts'

const address = '/leads?period=last_7_days&sort=external_id'

let views: ScheduledViews
beforeAll(async () => {
  views = await openScheduledViews(address)
  const { product, source, query } = views
  const lead = (n: number, stream: string, days: number) => {
    const at = ago(days * day)
    return buildLead(`L-${1000 + n}`, { source_status: 'sold', stream, created_at: at, updated_at: at })
  }
  const leads = [
    ...Array.from({ length: 12 }, (_, n) => lead(n, 'Own', 1)),
    ...Array.from({ length: 30 }, (_, n) => lead(100 + n, 'Foreign', 2)),
    lead(200, 'Own', 9),
  ]
  await ingestLeads(product.deps.db, { sourceId: source, leads, origin: 'file' })
  await query(
    `update streams set user_id = (select id from users where username = 'lola') where name = 'Own'`,
  )
})
afterAll(() => views.close())
beforeEach(async () => {
  await views.reset()
  await views.query(`update users set language = 'en'`)
})

const isoDay = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tashkent' }).format(new Date(ago(days * day)))

/** The export of a screen, as a person downloads it. */
async function download(as: Session, url: string): Promise<string[][]> {
  const answer = await views.product.app.inject({ url: `${url}&format=xlsx`, headers: as.headers })
  expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200)
  return readSheet(answer.rawPayload)
}

/** The text and the sheet that a person got in the chat. */
async function received(username: string) {
  const { telegram, chatOf } = views
  const chat = await chatOf(username)
  const files = telegram.files.filter((file) => file.chat === chat)
  const texts = telegram.messages.filter((message) => message.chat === chat).map(({ text }) => text)
  return { texts, files, sheet: files[0] === undefined ? null : await readSheet(files[0].content) }
}

test('each receiver of a shared list gets the rows and the file of their own screen', async () => {
  const { create, makeDue, runBoth, messages, telegram, admin, lola, role } = views
  await create(admin, { ...dailySchedule, includes_roles: true }, { shared_role_ids: [role] })
  await makeDue()
  await runBoth()
  expect(await messages()).toMatchObject([
    { username: 'admin', status: 'sent', sent_parts: 2, reason: null },
    { username: 'lola', status: 'sent', sent_parts: 2, reason: null },
  ])
  expect(new Set(telegram.sent.slice(-2).map(({ name }) => name))).toEqual(
    new Set([`leads-${isoDay(0)}.xlsx`]),
  )
  const query = `sort=external_id&start_date=${isoDay(6)}&end_date=${isoDay(0)}`
  for (const [username, as, path, rows] of [
    ['admin', admin, '/api/admin/leads/', 42],
    ['lola', lola, '/api/user/leads/', 12],
  ] as const) {
    const { texts, files, sheet } = await received(username)
    expect(sheet).toEqual(await download(as, `${path}?${query}`))
    expect(sheet).toHaveLength(rows + 1)
    expect(files.map(({ kind }) => kind)).toEqual(['document'])
    expect(texts).toHaveLength(1)
    const lines = texts[0]?.split('\n') ?? []
    expect(lines[0]).toBe('Week')
    expect(lines[1]).toMatch(/^Period: [\d/]+ – [\d/]+$/)
    expect(lines[2]).toBe(`Rows: ${rows}`)
    expect(lines[4]).toBe('Lead · Offer · Status · Payout')
    expect(lines.slice(5, 15)).toEqual(
      Array.from({ length: 10 }, (_, n) =>
        expect.stringMatching(new RegExp(`^L-10${String(n).padStart(2, '0')} · `)),
      ),
    )
    expect(lines.slice(15)).toEqual([`More rows: ${rows - 10}.`, '', `https://desk.example.uz${address}`])
  }
})

test.each([
  [
    'ru',
    'Строк',
    'Итого',
    ['Лиды', 'Отказ', 'Отправлено', 'Продано'],
    ',',
    'Апрув',
    'Название · Лиды · Продано · Прибыль',
  ],
  [
    'en',
    'Rows',
    'Total',
    ['Leads', 'Rejected', 'Sent', 'Sold'],
    '.',
    'Approve',
    'Name · Leads · Sold · Profit',
  ],
] as const)(
  'a report is sent with the totals and the names of the screen, in the language of the receiver, and by mail (%s)',
  async (language, rows, total, names, decimalMark, approve, title) => {
    const { create, send, run, query, smtp, admin, product } = views
    await query(`update users set language = $1`, [language])
    const { id } = await create(
      admin,
      { ...dailySchedule, channel: 'mail' },
      { address: '/statistics?period=last_7_days&tab=streams' },
    )
    await send(admin, id)
    await run('view-messages')
    const url = `/api/admin/report/streams?start_date=${isoDay(6)}&end_date=${isoDay(0)}`
    const screen = await product.app.inject({ url, headers: admin.headers })
    const { totals } = screen.json<{ meta: { totals: Figures } }>().meta
    const [mail] = smtp.accepted
    const text = mail?.text.replaceAll('\r\n', '\n') ?? ''
    expect(text).toContain(`${rows}: 2\n\n${total}\n`)
    for (const [n, key] of (['leads', 'cancel', 'send', 'sold'] as const).entries())
      expect(text).toContain(`\n${names[n]}: ${totals[key]}\n`)
    const rate = ((totals.approve_rate ?? 0) * 100).toFixed(1).replace('.', decimalMark)
    expect(text).toContain(`\n${approve}: ${rate}%\n`)
    expect(text).toContain(`\n\n${title}\nForeign · 30 · 30 · `)
    expect(mail?.attachments).toHaveLength(1)
    expect(await readSheet(mail?.attachments[0]?.content ?? Buffer.alloc(0))).toEqual(
      await download(admin, url),
    )
  },
)

test.each([
  ['has no such screen', '/leads?tab=postbacks', 'view_closed_to_receiver'],
  ['is asked for a value that the list refuses', '/leads?source_id=none', 'must_be_whole_number'],
])('a receiver who %s gets no view, and the reason is a code', async (_, screen, code) => {
  const { create, makeDue, runBoth, messages, admin, role } = views
  await create(
    admin,
    { ...dailySchedule, includes_roles: true },
    { shared_role_ids: [role], address: screen },
  )
  await makeDue()
  await runBoth()
  expect((await messages())[1]).toMatchObject({ username: 'lola', status: 'refused', reason: { code } })
  expect(await received('lola')).toMatchObject({ texts: [], files: [] })
})

test('a former admin gets a view with only their own leads', async () => {
  const { create, send, run, query, lola, role } = views
  const setRole = (text: string) => query(`update users set role_id = (${text}) where username = 'lola'`)
  await setRole(`select id from roles where code = 'admin'`)
  const { id } = await create(lola)
  await send(lola, id)
  await setRole(`select ${role}`)
  await run('view-messages')
  expect((await received('lola')).sheet).toHaveLength(13)
})

/** Sends the queued messages with other dependencies of the product. */
async function runWith(calls: ReceiverCalls): Promise<void> {
  await runJob(viewMessagesJobs(views.product.deps, calls, 0), 'view-messages')
}

test('an admin without the required second factor gets no view', async () => {
  const { create, send, messages, admin, product } = views
  const { id } = await create(admin)
  await send(admin, id)
  const { deps } = product
  const settings = { ...deps.config, requireSecondFactor: 'admins' as const }
  const identities = new Identities(deps.db, deps.pool, settings)
  await runWith(createReceiverCalls({ ...deps, identities }))
  expect(await messages()).toMatchObject([
    { status: 'refused', reason: { code: 'second_factor_setup_required' }, sent_parts: 0 },
  ])
  expect((await received('admin')).texts).toEqual([])
})

test('the file of a sent view has the first rows of a long list, and the text says so', async () => {
  const { create, send, run, query, smtp, admin } = views
  const rows = maxMessageFileRows + 5
  await query(
    `insert into offers (name, price, affiliate_fee, source_id)
     select 'Offer ' || n, 1, 1, (select min(id) from cpa_sources) from generate_series(1, $1::integer) n`,
    [rows],
  )
  try {
    const mail = { ...dailySchedule, channel: 'mail' }
    const { id } = await create(admin, mail, { address: '/offers' })
    await send(admin, id)
    await run('view-messages')
    const [sentMail] = smtp.accepted
    const sheet = await readSheet(sentMail?.attachments[0]?.content ?? Buffer.alloc(0))
    expect(sheet).toHaveLength(maxMessageFileRows + 1)
    expect(sheet[1]).toContain(`Offer ${rows}`)
    const text = sentMail?.text.replaceAll('\r\n', '\n')
    expect(text).toContain(`Rows: 20,005\n\nFirst rows\nOffer ${rows}\n`)
    expect(text).toContain('The file has the first 20,000 of 20,005 rows.')
  } finally {
    await query('delete from offers')
  }
})

test('a file of a sent view with too many bytes is left out, and the text says so', async () => {
  const { create, send, run, query, messages, admin, product } = views
  // Random text hardly compresses.
  await query(`insert into audit_log (action, resource, new_values) select 'create', 'large', json_build_object('text',
      (select string_agg(md5(random()::text || m || n.n), '') from generate_series(1, 60) m))
    from generate_series(1, 10000) n`)
  try {
    const { id } = await create(admin, dailySchedule, { address: '/audit' })
    await send(admin, id)
    await run('view-messages')
    const { texts, files } = await received('admin')
    expect(texts[0]).toContain('The file is too large for a message.')
    expect(files).toEqual([])
    expect(await messages()).toMatchObject([{ status: 'sent', sent_parts: 2 }])
    const { pool } = product.deps
    await expect.poll(() => pool.totalCount - pool.idleCount, { message: 'open cursors' }).toBe(0)
  } finally {
    await query(`delete from audit_log where resource = 'large'`)
  }
})

test('an export of a scheduled view that takes too long is ended, and its message is sent later', async () => {
  const { create, send, query, messages, admin, product } = views
  const { id } = await create(admin)
  await send(admin, id)
  await runWith(createReceiverCalls(product.deps, { maxRows: 10, timeout: 0 }))
  expect(await messages()).toMatchObject([{ status: 'queued', sent_parts: 0 }])
  const [row] = await query(`select reason->>'code' as code, unsure from view_messages`)
  expect(row).toEqual({ code: expect.stringMatching(/^(?:export_ended|database_)/) as string, unsure: false })
  const { pool } = product.deps
  await expect.poll(() => pool.totalCount - pool.idleCount, { message: 'open cursors' }).toBe(0)
})

test('a long row and a line break in a value take one line of a sent view', async () => {
  const { create, send, run, query, admin } = views
  await query(`update leads set external_id = $1 where external_id = 'L-1000'`, [`L-0\n${'x'.repeat(80)}`])
  try {
    const { id } = await create(admin)
    await send(admin, id)
    await run('view-messages')
    const row = (await received('admin')).texts[0]?.split('\n')[5]
    expect(row).toMatch(/^L-0 x{35}… · — · /)
  } finally {
    await query(`update leads set external_id = 'L-1000' where external_id like 'L-0%'`)
  }
})

test('the columns of the message of each screen are columns of its export, and have names', () => {
  for (const [name, { admin, person, columns }] of Object.entries(viewScreens)) {
    for (const call of [admin, person].filter((list) => list !== undefined))
      expect(
        deriveColumns(call.answer, new Set()).map((column) => column.name),
        name,
      ).toEqual(expect.arrayContaining([...columns]))
    if (columns.length > 1)
      for (const column of columns) expect(columnTexts[column], `${name}: ${column}`).toBeDefined()
  }
})

test('every screen that can be sent is answered for an admin', async () => {
  const { create, send, run, messages, query, admin } = views
  for (const screen of Object.keys(viewScreens)) {
    await query('delete from saved_views')
    await query('delete from sign_in_failures')
    const { id } = await create(admin, dailySchedule, { address: screen })
    await send(admin, id)
    await run('view-messages')
    expect(await messages(), screen).toMatchObject([{ status: 'sent', reason: null }])
  }
})
