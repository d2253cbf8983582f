import { viewScreens } from '@karvon/contract/view-screens.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildLead } from '../../../test/lead-database.ts'
import { ago, day } from '../../../test/moment.ts'
import { dailySchedule, openScheduledViews, type ScheduledViews } from '../../../test/scheduled-views.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'
import { hasFilterName, listFilterNames } from './view-messages.filters.ts'

let views: ScheduledViews
beforeAll(async () => {
  views = await openScheduledViews('/leads')
  const { product, source, query } = views
  const leads = ['Own', 'Foreign'].map((stream) =>
    buildLead(`L-${stream}`, { source_status: 'sold', stream, created_at: ago(day), updated_at: ago(day) }),
  )
  await ingestLeads(product.deps.db, { sourceId: source, leads, origin: 'file' })
  await query(
    `update streams set user_id = (select id from users where username = 'lola') where name = 'Own'`,
  )
})
afterAll(() => views.close())
beforeEach(() => views.reset())

/** The text that a person got in the chat. */
async function readText(username: string): Promise<string | undefined> {
  const { telegram, chatOf } = views
  const chat = await chatOf(username)
  return telegram.messages.find((message) => message.chat === chat)?.text
}

test('the text of a sent view names each filter, and shows only the id of a row that the receiver may not see', async () => {
  const { create, makeDue, runBoth, admin, role, source, query } = views
  await query(`update users set language = case username when 'lola' then 'ru' else 'en' end`)
  const rows = await query(`select id, name from streams order by name desc`)
  const [own, foreign] = rows.map(({ id }) => String(id))
  const region = ['Olmazor, Toshkent', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7'].join('\u001F')
  const filters = { source_id: String(source), stream_id: `${own},${foreign},0`, weekday: '1,7', region }
  const search = new URLSearchParams({ period: 'last_7_days', column: 'sold', ...filters, search: 'L-1' })
  const address = `/leads?${search.toString()}&without=region,sub1&user_id=1`
  await create(admin, { ...dailySchedule, includes_roles: true }, { shared_role_ids: [role], address })
  await makeDue()
  await runBoth()
  const [name] = (await query('select name from cpa_sources where id = $1', [source])).map((row) => row.name)
  const read = async (username: string) => (await readText(username))?.split('\n').slice(2, 9)
  expect(await read('admin')).toEqual([
    'Search: L-1',
    'Weekday: Monday, Sunday',
    `Source: ${String(name)}`,
    'Stream: Own, Foreign, None',
    'Region: Olmazor, Toshkent, r2, r3, r4, r5 +3',
    'sub1: None',
    'State: Sold',
  ])
  expect(await read('lola')).toEqual([
    'Поиск: L-1',
    'День недели: Понедельник, Воскресенье',
    `Источник: ${String(name)}`,
    `Поток: Own, #${foreign}, Нет значения`,
    'Регион: Olmazor, Toshkent, r2, r3, r4, r5 +3',
    'Саб 1: Нет значения',
    'Состояние: Продано',
  ])
})

test('filters of other lists have the names of their rows and values', async () => {
  const { create, send, run, admin, query } = views
  await query(`update users set language = 'uz'`)
  const [role] = await query(`select id, name from roles where code = 'user'`)
  const { id } = await create(admin, dailySchedule, {
    address: `/users?role_id=${String(role?.id)}&waiting=true`,
  })
  await send(admin, id)
  await run('view-messages')
  expect((await readText('admin'))?.split('\n').slice(1, 3)).toEqual([
    `Rol: ${String(role?.name)}`,
    'Faollashtirishni kutmoqda: ha',
  ])
})

test('each filter of each list has a name', () => {
  const pageKeys = ['page', 'per_page', 'limit', 'skip', 'format']
  const names = Object.values(viewScreens).flatMap(({ admin, person }) =>
    [admin, person].flatMap((call) => {
      const { properties = {} } = (call?.query ?? {}) as { properties?: object }
      return listFilterNames(properties).filter((name) => !pageKeys.includes(name))
    }),
  )
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name) => !hasFilterName(name))).toEqual([])
})
