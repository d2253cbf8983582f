import type { ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readSheet } from '../../../test/exports.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { ago, day } from '../../../test/moment.ts'
import { dailySchedule, openScheduledViews, type ScheduledViews } from '../../../test/scheduled-views.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { drawChart } from './view-messages.chart.ts'

const address = '/explore?compare=previous_period&metrics=leads%2Capprove_rate&period=last_7_days&rows=stream'

let views: ScheduledViews
beforeAll(async () => {
  views = await openScheduledViews(address)
  const { product, source } = views
  const lead = (n: number, stream: string, days: number) => {
    const at = ago(days * day)
    return buildLead(`lead ${n}`, { source_status: 'sold', stream, created_at: at, updated_at: at })
  }
  const leads = [
    ...Array.from({ length: 12 }, (_, n) => lead(n, '<b>&Own', 1)),
    ...Array.from({ length: 30 }, (_, n) => lead(100 + n, 'Foreign', 2)),
    lead(200, '<b>&Own', 9),
  ]
  await ingestLeads(product.deps.db, { sourceId: source, leads, origin: 'file' })
  await views.query(
    `update streams set user_id = (select id from users where username = 'lola') where name = '<b>&Own'`,
  )
})
afterAll(() => views.close())
beforeEach(() => views.reset())

test('a due schedule is sent once, moves to its next time, and is not sent when its time is long ago', async () => {
  const { create, makeDue, runBoth, messages, query, telegram, lola } = views
  const { id } = await create(lola)
  await makeDue()
  await runBoth()
  await runBoth()
  expect(await messages()).toMatchObject([{ username: 'lola', status: 'sent', sent_parts: 2 }])
  expect(telegram.files.map(({ kind }) => kind)).toEqual(['photo', 'document'])
  const [schedule] = await query(
    'select next_at > now() as is_later from view_schedules where view_id = $1',
    [id],
  )
  expect(schedule).toEqual({ is_later: true })
  await query('delete from view_messages')
  await makeDue('7 hours')
  await runBoth()
  expect(await messages()).toEqual([])
})

test.each([
  ['are sent', null],
  ['are refused', 'infinity'],
])(
  '30 due messages of one person that %s delay the message of another person by one',
  async (_, mutedUntil) => {
    const { create, query, run, messages, admin, lola } = views
    for (let n = 0; n < 15; n += 1)
      await create(admin, dailySchedule, { name: `Admin ${n}`, address: '/leads' })
    await create(lola, dailySchedule, { name: 'Lola', address: '/leads' })
    await query(`insert into view_messages (view_id, user_id, channel, due_at)
    select v.id, v.user_id, 'telegram', now() - make_interval(secs => n)
    from saved_views v, generate_series(1, case v.name when 'Lola' then 1 else 2 end) n`)
    await query(
      `update telegram_links set muted_until = $1 from users u where u.id = user_id and u.username = 'admin'`,
      [mutedUntil],
    )
    await run('view-messages')
    const attempted = await query<{ username: string }>(
      `select u.username from view_messages m join users u on u.id = m.user_id order by m.attempted_at`,
    )
    expect(attempted).toHaveLength(31)
    expect(attempted.slice(0, 2).map(({ username }) => username)).toEqual(['admin', 'lola'])
    expect((await messages()).at(-1)).toMatchObject({ username: 'lola', status: 'sent' })
  },
)

test('the picture and the file of a sent view have the figures of the screen of the receiver', async () => {
  const { create, makeDue, runBoth, messages, call, chatOf, telegram, product, admin, lola, role } = views
  await create(admin, { ...dailySchedule, includes_roles: true }, { shared_role_ids: [role] })
  await makeDue()
  await runBoth()
  expect(await messages()).toMatchObject([
    { username: 'admin', status: 'sent' },
    { username: 'lola', status: 'sent' },
  ])
  const question = address.slice(address.indexOf('?'))
  for (const [username, as, scope, count] of [
    ['admin', admin, 'admin', 2],
    ['lola', lola, 'user', 1],
  ] as const) {
    const screen = (
      await call(as, 'GET', `/api/${scope}/explore${question}&top_rows=20`)
    ).json<ExploreAnswer>()
    expect(screen.items).toHaveLength(count)
    const chat = await chatOf(username)
    const [photo, document] = telegram.files.filter((file) => file.chat === chat)
    const exportAnswer = await product.app.inject({
      url: `/api/${scope}/explore${question}&top_rows=20&format=xlsx`,
      headers: as.headers,
    })
    const sheet = await readSheet(document?.content ?? Buffer.alloc(0))
    expect(sheet).toEqual(await readSheet(exportAnswer.rawPayload))
    expect(photo?.content.subarray(1, 4).toString()).toBe('PNG')
    expect(photo?.content.readUInt32BE(16)).toBe(1200)
    const svg = drawChart(screen, { name: 'Week', view: 'table', language: 'en' }) ?? ''
    const drawnValues = [...svg.matchAll(/data-values="([^"]*)"/g)].map(([, values]) =>
      values?.split(' ').map(Number),
    )
    expect(drawnValues).toEqual([
      screen.items.map(({ metrics }) => metrics.leads),
      screen.items.map(({ compared }) => compared?.leads?.value),
    ])
    expect(svg).not.toContain('<b>')
  }
})

test.each([
  [
    'ru',
    /^Week\nПериод: [\d.]+ – [\d.]+\nИзменение к периоду .*\n\nИтого\nЛиды: 12 \(\+11; \+1\s?100,0%\)\nАпрув: /,
  ],
  ['uz', /^Week\nDavr: [\d.]+ – [\d.]+\n.*\n\nJami\nLidlar: 12 \(\+11; /],
  [
    'en',
    /^Week\nPeriod: [\d/]+ – [\d/]+\nChange against .*\n\nTotal\nLeads: 12 \(\+11; \+1,100\.0%\)\nApprove: /,
  ],
])('a sent view is in the language of its receiver, by Telegram and by mail (%s)', async (language, text) => {
  const { create, query, call, send, run, telegram, smtp, lola } = views
  await query(`update users set language = $1`, [language])
  const { id } = await create(lola)
  await send(lola, id)
  await send(lola, id)
  await run('view-messages')
  expect(telegram.files).toHaveLength(2)
  expect(telegram.files[0]?.caption).toMatch(text)
  expect(telegram.files[0]?.caption).toContain('<b>&Own: 12')
  expect(telegram.files[0]?.caption).toContain(`https://desk.example.uz${address}`)
  await call(lola, 'PUT', `/api/views/${id}/`, { schedule: { ...dailySchedule, channel: 'mail' } })
  await send(lola, id)
  await run('view-messages')
  const [mail] = smtp.accepted
  expect(mail?.to).toEqual(['lola@example.uz'])
  expect(mail?.text.replaceAll('\r\n', '\n')).toMatch(text)
  expect(mail?.attachments.map(({ name }) => name)).toEqual(['chart.png', 'explore.xlsx'])
  const sheets = [mail?.attachments[1], telegram.files[1]].map((file) =>
    readSheet(file?.content ?? Buffer.alloc(0)),
  )
  expect(await sheets[0]).toEqual(await sheets[1])
})

test('the caption of a sent view names the filters, and shows only the id of a stream of another person', async () => {
  const { create, makeDue, runBoth, messages, query, telegram, chatOf, admin, role, source } = views
  await query(`update users set language = 'en'`)
  const rows = await query(`select id from streams order by name = 'Foreign'`)
  const [own, foreign] = rows.map(({ id }) => String(id))
  const filters = {
    stream: `${own},${foreign}`,
    source: String(source),
    hour: '0,1,2,3,4,5,6,7',
    without: 'region',
  }
  const all = { ...filters, hour: Array.from({ length: 24 }, (_, hour) => hour).join(',') }
  const question = new URLSearchParams({ rows: 'stream', metrics: 'leads', period: 'last_7_days', ...all })
  await create(
    admin,
    { ...dailySchedule, includes_roles: true },
    { shared_role_ids: [role], address: `/explore?${question.toString()}` },
  )
  await makeDue()
  await runBoth()
  expect(await messages()).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
  const read = async (username: string) => {
    const chat = await chatOf(username)
    return telegram.files.find((file) => file.chat === chat)?.caption?.split('\n')
  }
  const lines = (await read('admin')) ?? []
  expect(lines.slice(2, 4)).toEqual([
    'Hour: 00:00, 01:00, 02:00, 03:00, 04:00 +19',
    expect.stringMatching(/^Source: \w/),
  ])
  expect(lines.slice(4, 9)).toEqual(['Stream: <b>&Own, Foreign', 'Region: None', '', 'Total', 'Leads: 42'])
  expect((await read('lola'))?.slice(4, 9)).toEqual([
    `Stream: <b>&Own, #${foreign}`,
    'Region: None',
    '',
    'Total',
    'Leads: 12',
  ])
})

test('the filters take at most a third of the caption of a sent view, and the others are counted', async () => {
  const { create, send, run, query, telegram, lola } = views
  await query(`update users set language = 'en'`)
  const texts = Array.from({ length: 9 }, (_, n) => `${n}${'x'.repeat(60)}`).join('\u001F')
  const filters = { region: texts, cancel_reason: texts, sub1: texts, without: 'region,cancel_reason,sub1' }
  const question = new URLSearchParams({ rows: 'stream', metrics: 'leads', ...filters })
  const { id } = await create(lola, dailySchedule, { address: `/explore?${question.toString()}` })
  await send(lola, id)
  await run('view-messages')
  const caption = telegram.files[0]?.caption ?? ''
  expect(caption).toContain(`\nRegion: 0${'x'.repeat(38)}…, 1x`)
  expect(caption).toContain('… +5\nOther filters: 2\n\nTotal\nLeads: 13\n\nStream: Leads\n<b>&Own: 13')
})

test('a view with a character that the database cannot store is refused once', async () => {
  const { create, messages, send, run, lola } = views
  const { id } = await create(lola, dailySchedule, { address: '/explore?region=%00' })
  await send(lola, id)
  await run('view-messages')
  expect(await messages()).toMatchObject([{ status: 'refused' }])
})

test('a line break in the name of an older view adds no line to a message', async () => {
  const { create, query, send, run, telegram, lola } = views
  const { id } = await create(lola)
  await query('update saved_views set name = $1 where id = $2', ['Week\nTotal\nLeads: 999', id])
  await send(lola, id)
  await run('view-messages')
  expect(telegram.files[0]?.caption?.split('\n')[0]).toBe('Week Total Leads: 999')
})

test.each([
  ['is deactivated', `update users set is_active = false where username = 'lola'`],
  [
    'changes the role',
    `update users set role_id = (select id from roles where code = 'user') where username = 'lola'`,
  ],
  ['is not shared with any more', `delete from saved_view_roles`],
  ['has an owner who is not active', `update users set is_active = false where username = 'admin'`],
  [
    'has an owner who is no admin',
    `update users set role_id = (select id from roles where code = 'user') where username = 'admin'`,
  ],
  ['is not included any more', `update view_schedules set includes_roles = false`],
])('a person who %s gets no view, even if its message waits', async (_, change) => {
  const { create, makeDue, messages, query, run, chatOf, telegram, admin, role } = views
  await create(admin, { ...dailySchedule, includes_roles: true }, { shared_role_ids: [role] })
  await makeDue()
  await run('view-schedules')
  expect(await messages()).toMatchObject([{ username: 'admin' }, { username: 'lola' }])
  try {
    await query(change)
    await run('view-messages')
    const chat = await chatOf('lola')
    expect(telegram.files.filter((file) => file.chat === chat)).toEqual([])
    expect((await messages())[1]).toMatchObject({
      status: 'refused',
      last_error: 'The receiver may not get this view any more.',
    })
  } finally {
    await query(
      `update users set is_active = true, role_id = case username when 'lola' then $1
         else (select id from roles where code = 'admin') end`,
      [role],
    )
  }
})

test('a muted chat gets no view, and a part that arrived is not sent again', async () => {
  const { create, messages, query, call, send, run, telegram, lola } = views
  const { id } = await create(lola)
  await query(`update telegram_links set muted_until = now() + interval '1 hour'`)
  await send(lola, id)
  await run('view-messages')
  expect(await messages()).toMatchObject([{ status: 'refused' }])
  await query(`update telegram_links set muted_until = null`)
  await send(lola, id)
  await query(`update view_messages set sent_parts = 1 where status = 'queued'`)
  await run('view-messages')
  expect(telegram.files.map(({ kind }) => kind)).toEqual(['document'])
  const [view] = (await call(lola, 'GET', '/api/views/')).json<{ items: SavedView[] }>().items
  expect(view?.schedule?.last_message).toMatchObject({ status: 'sent', reason: null })
})

test('a message names the currencies of its sums, unless all are in the main one', async () => {
  const { create, send, run, telegram, lola, product, source, query } = views
  const sendBoth = async () => {
    await query('delete from saved_views')
    telegram.files.splice(0)
    telegram.messages.splice(0)
    const explore = '/explore?metrics=leads%2Caverage_payout&period=last_7_days&rows=stream'
    for (const [name, viewAddress] of [
      ['Explore', explore],
      ['Report', '/statistics?period=last_7_days&tab=streams'],
    ])
      await send(lola, (await create(lola, dailySchedule, { name, address: viewAddress })).id)
    await run('view-messages')
    return [telegram.files[0]?.caption ?? '', telegram.messages[0]?.text ?? '']
  }
  for (const text of await sendBoth()) expect(text).not.toContain('UZS')
  const lead = buildLead('dollar', { source_status: 'sold', stream: '<b>&Own', currency: 'USD' })
  await ingestLeads(product.deps.db, { sourceId: source, leads: [lead], origin: 'file' })
  for (const text of await sendBoth()) expect(text).toContain('USD + UZS')
})
