import type { Page } from '@karvon/contract/lib/page.ts'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { isSendable } from '@karvon/contract/view-request.ts'
import { expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin } from '../../../test/app.ts'
import { openUpgradeDatabase } from '../../../test/upgrade.ts'

test.each([
  ['/statistics?tab=daily', '/statistics'],
  ['/users?tab=users', '/users'],
  ['/settings/cpa-websites?tab=sources', '/settings/cpa-websites'],
  ['/settings/statuses?tab=status-types', '/settings/statuses'],
])('%s is the screen %s: its views are found, open by default and can be sent', async (tabAddress, path) => {
  const product = await createTestApp()
  try {
    const admin = await signInAdmin(product.app)
    const call = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) =>
      callApi(product.app, admin, method, url, body)
    const answer = await call('POST', '/api/views/', { name: 'Mine', address: `${tabAddress}&sort=-id` })
    const view = answer.json<SavedView>()
    expect(view).toMatchObject({ screen: path, address: `${path}?sort=-id` })
    expect(isSendable(view.address, true)).toBe(true)
    await call('PUT', `/api/views/${view.id}/default/`, { is_default: true })
    for (const screen of [path, tabAddress]) {
      const list = await call('GET', `/api/views/?is_default=true&screen=${encodeURIComponent(screen)}`)
      expect(
        list.json<Page<SavedView>>().items.map(({ id }) => id),
        screen,
      ).toEqual([view.id])
    }
  } finally {
    await product.close()
  }
})

test('an upgrade moves stored views of a first tab to their screen, and keeps their names apart', async () => {
  await using database = await openUpgradeDatabase()
  await database.migrate('0100_nulls_last.sql')
  await database.client.query(`
    insert into users (username, name, email, password_hash, role_id)
      select n, n, n, '-', (select min(id) from roles) from unnest(array['aziz', 'malika']) n;
    insert into saved_views (user_id, name, screen, address)
      select u.id, v.name, v.screen, v.address from users u, (values
        ('Week', '/statistics', '/statistics?period=last_7_days'),
        ('Week', '/statistics?tab=daily', '/statistics?sort=-leads&tab=daily'),
        ('Month', '/statistics?tab=daily', '/statistics?period=this_month&tab=daily&to=2026-11-30'),
        ('Offers', '/statistics?tab=offers', '/statistics?tab=offers'),
        ('All', '/users?tab=users', '/users?tab=users')) v (name, screen, address)
      where u.username = 'aziz';
    insert into saved_view_defaults (user_id, screen, view_id)
      select u.id, v.screen, v.id from users u, saved_views v
      where v.name = 'Month' or v.address = '/statistics?period=last_7_days' and u.username = 'aziz'`)
  await database.migrate()
  expect(
    await database.readColumn<string>(
      "select format('%s: %s %s', name, screen, address) from saved_views order by id",
    ),
  ).toEqual([
    'Week: /statistics /statistics?period=last_7_days',
    expect.stringMatching(/^Week \d+: \/statistics \/statistics\?sort=-leads$/),
    'Month: /statistics /statistics?period=this_month&to=2026-11-30',
    'Offers: /statistics?tab=offers /statistics?tab=offers',
    'All: /users /users',
  ])
  expect(
    await database.readColumn<string>(`select format('%s: %s %s', u.username, d.screen, v.name)
      from saved_view_defaults d join users u on u.id = d.user_id join saved_views v on v.id = d.view_id order by u.id`),
  ).toEqual(['aziz: /statistics Week', 'malika: /statistics Month'])
})
