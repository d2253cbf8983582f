import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildLead } from '../../../test/lead-database.ts'
import { ago, hour, now } from '../../../test/moment.ts'
import { dailySchedule, openScheduledViews } from '../../../test/scheduled-views.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'

// In the time zone of this installation it is the second hour of a day. Etc/GMT+5 is five hours behind UTC.
const hoursBehind = (new Date(now()).getUTCHours() + 23) % 24
const timeZone = hoursBehind <= 12 ? `Etc/GMT+${hoursBehind}` : `Etc/GMT-${24 - hoursBehind}`

const views = await openScheduledViews('/leads?period=today', { KARVON_TIMEZONE: timeZone })
afterAll(() => views.close())
beforeEach(() => views.reset())
const { product, source, query, create, send, run, runBoth, messages, telegram, admin } = views

const lead = (n: number, created_at: string) =>
  buildLead(`L-${n}`, { source_status: 'sold', created_at, updated_at: created_at })
await ingestLeads(product.deps.db, {
  sourceId: source,
  leads: [...[1, 2].map((n) => lead(n, ago(3 * hour))), ...[3, 4, 5].map((n) => lead(n, ago(0)))],
  origin: 'file',
})
await query('delete from saved_views')

const schedule = { ...dailySchedule, time: '23:59' }
/** As if the schedule was due in the last minute of yesterday. */
const makeDue = () => query(`update view_schedules set next_at = current_date - interval '1 minute'`)

test.each([
  ['/leads?period=today', 'Rows: 2'],
  ['/explore?rows=source&metrics=leads&period=today&compare=previous_period', 'Leads: 2 '],
])('a view of 23:59 that is sent after midnight has the day of its due time (%s)', async (address, text) => {
  await query(`update users set language = 'en'`)
  await create(admin, schedule, { address })
  await makeDue()
  await runBoth()
  expect(await messages()).toMatchObject([{ status: 'sent' }])
  const [row] = await query(`select
    to_char(next_at, 'HH24:MI') as time, next_at::date = current_date as is_today,
    (select due_at = current_date - interval '1 minute' from view_messages) as is_due_yesterday
    from view_schedules`)
  expect(row).toEqual({ time: '23:59', is_today: true, is_due_yesterday: true })
  const [message] = address.startsWith('/explore')
    ? telegram.files.map(({ caption }) => caption)
    : telegram.messages.map((m) => m.text)
  expect(message).toContain(`\n${text}`)
})

test('a view that a person sends after midnight has the figures of the new day', async () => {
  await query(`update users set language = 'en'`)
  const { id } = await create(admin, schedule)
  await send(admin, id)
  await run('view-messages')
  expect(telegram.messages[0]?.text).toContain('\nRows: 3')
})
