import { variants } from '../src/extent.ts'
import type { Page } from '@playwright/test'
import type { FakeNetwork } from '@karvon/testkit/fakes/network.ts'
import type { Api } from '../src/api.ts'
import { openSigned, pressOn, typeInto } from '../src/keyboard.ts'
import { choose, newSource } from '../src/leads.ts'
import { courierLogin, networkLogin as login, test } from '../src/outside.ts'
import { expect, expectAccessible, expectSound } from '../src/test.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const looks = [[1440, 'light'] as const, [360, 'dark'] as const]

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const healthOf = (page: Page, text: string) => rowOf(page, text).getByRole('cell').last()

const me = async (api: Api) => (await api.call<{ id: number }>('GET', '/parcel/auth/me')).id

/** A source with its network's description; `pause` is the pause between pages in milliseconds. */
async function newNetwork(api: Api, { url }: FakeNetwork, name: string, pause: number): Promise<number> {
  const cpa_source_id = await newSource(api, name)
  const mapping = { base_url: url, manners: { page_delay_ms: pause } }
  await api.call('POST', '/api/admin/cpa-websites/', { name, cpa_source_id, connector: '100k', mapping })
  return cpa_source_id
}

test.describe('a try', () => {
  test.use({ expectedStatus: [422] })

  test('shows what the form’s unsaved values would bring, and stores nothing', async ({
    page,
    api,
    outside,
  }) => {
    const source_id = await newNetwork(api, outside.network, 'Trial', 0)
    await openSigned(page, api, '/settings/cpa-websites?tab=credentials')
    await rowOf(page, 'Trial').getByRole('cell').first().click()
    const dialog = page.getByRole('dialog', { name: 'Edit CPA credential' })
    await expect(dialog.getByRole('combobox', { name: 'Connector' })).toHaveValue('100k.uz')
    const form = dialog.getByRole('region', { name: 'Try' })
    const found = form.getByRole('region', { name: 'What was found' })

    // A wrong login: the sign-in says so, and nothing else is asked.
    await typeInto(page, form.getByLabel('Login', { exact: true }), login.login)
    await typeInto(page, form.getByLabel('Password', { exact: true }), 'not it')
    await page.keyboard.press('Enter')
    await expect(found).toContainText('Failed')
    await expect(found.getByRole('table')).toHaveCount(0)

    await typeInto(page, form.getByLabel('Password', { exact: true }), login.pass)
    await pressOn(page, form.getByRole('button', { name: 'Try' }))
    for (const part of ['Sign-in', 'Finance', 'Offers', 'Streams', 'Orders'])
      await expect(found.getByRole('heading', { name: `${part} OK` })).toBeVisible()
    await expect(found.getByRole('region', { name: 'Orders' })).toContainText('external_id')
    await expect(found.getByRole('region', { name: 'Streams' })).toContainText('TikTok')
    await expectAccessible(page, 'the try')

    // Another mapping, not saved: the orders cannot be read any more, and each says why.
    const mapping = dialog.getByLabel('Mapping')
    await mapping.fill('{ "orders": { "fields": ')
    await form.getByRole('button', { name: 'Try' }).click()
    await expect(form).toContainText('Enter a JSON object: this is none from line 1, column 25')
    await mapping.fill(
      JSON.stringify({
        base_url: outside.network.url,
        manners: { page_delay_ms: 0 },
        orders: { fields: { created_at: 'region' } },
      }),
    )
    await form.getByRole('button', { name: 'Try' }).click()
    await expect(found).toContainText('Could not be read')
    await mapping.fill('{ "orders": 5 }')
    await form.getByRole('button', { name: 'Try' }).click()
    await expect(form).toContainText('orders')
    await expect(form).toContainText('Failed to try the credential.')

    for (const list of ['leads', `offers/?source_id=${source_id}`, `streams/?source_id=${source_id}`])
      expect((await api.call<{ items: unknown[] }>('GET', `/api/admin/${list}`)).items).toEqual([])
    await page.keyboard.press('Escape')
    await rowOf(page, 'Trial').getByRole('cell').first().click()
    await expect(mapping).toHaveValue(/page_delay_ms/)
    await mapping.fill('{\n  "orders": oops }')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(mapping).toHaveAccessibleDescription(/Enter a JSON object: .*line 2, column 13/)
  })
})

test(
  'a source credential is tested where it stands, with what is saved',
  variants,
  async ({ page, api, outside }) => {
    const source_id = await newNetwork(api, outside.network, 'Tested', 0)
    const user_id = await me(api)
    for (const [name, pass] of [
      ['Tested well', login.pass],
      ['Tested badly', 'not it'],
    ])
      await api.call('POST', '/api/admin/source-credentials/', { name, ...login, pass, source_id, user_id })
    await openSigned(page, api, '/users?tab=source-credentials')
    const opened = async (name: string) => {
      await rowOf(page, name).getByRole('cell').first().click()
      const form = page
        .getByRole('dialog', { name: 'Edit source credential' })
        .getByRole('region', { name: 'Test' })
      await pressOn(page, form.getByRole('button', { name: 'Test' }))
      return form.getByRole('region', { name: 'What was found' })
    }
    const bad = await opened('Tested badly')
    await expect(bad).toContainText('The network refused the sign-in (422).')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const good = await opened('Tested well')
    for (const part of ['Sign-in', 'Finance', 'Offers', 'Streams', 'Orders'])
      await expect(good.getByRole('heading', { name: `${part} OK` })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Test', exact: true })).toBeFocused()
    await expectSound(page, 'the test', looks)
  },
)

test.describe('a connector', () => {
  test.use({ expectedStatus: [422] })

  test('is added as data; the built-in ones are only looked at', async ({ page, api, outside }) => {
    await openSigned(page, api, '/settings/cpa-websites?tab=connectors')
    await rowOf(page, '100k.uz').getByRole('cell').first().click()
    const built = page.getByRole('dialog', { name: 'Edit connector' })
    await expect(built.getByRole('region', { name: 'Description' })).toContainText('/auth/sign-in')
    await expect(built.getByRole('button', { name: 'Save' })).toHaveCount(0)
    await expectAccessible(page, 'a built-in connector')
    await page.keyboard.press('Escape')
    await expect(built).toHaveCount(0)

    await pressOn(page, page.getByRole('button', { name: 'New connector' }))
    const form = page.getByRole('dialog', { name: 'New connector' })
    await form.getByLabel('Code').fill('quiet')
    await form.getByLabel('Name').fill('Quiet network')
    await form.getByLabel('Description').fill('{ "sign_in": "by hand" }')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByLabel('Description')).toHaveAccessibleDescription(/sign_in must be object/)
    await form.getByLabel('Description').fill(JSON.stringify({ base_url: outside.network.url }))
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toHaveCount(0)
    await expect(rowOf(page, 'Quiet network')).toContainText('Not built in')
    await page.goto(`${api.url}/settings/cpa-websites?tab=credentials`)
    await page.getByRole('button', { name: 'New CPA credential' }).click()
    await page.getByRole('combobox', { name: 'Connector' }).click()
    await expect(page.getByRole('option', { name: 'Quiet network' })).toBeVisible()
  })
})

test(
  'a run is asked for, followed as it goes on, and stays among the runs; the money is compared',
  variants,
  async ({ page, api, outside }) => {
    test.setTimeout(120_000)
    const source_id = await newNetwork(api, outside.network, 'Live', 900)
    const user_id = await me(api)
    const credential = (name: string, pass: string) =>
      api.call('POST', '/api/admin/source-credentials/', { name, ...login, pass, source_id, user_id })
    await credential('Wrong one', 'not it')
    await openSigned(page, api, '/users?tab=source-credentials')
    await expect(page.getByRole('columnheader')).toHaveText([
      'Name',
      'Login',
      'Token',
      'Token updated',
      'User',
      'Source',
      'Health',
    ])
    const wrong = healthOf(page, 'Wrong one')
    await pressOn(page, wrong.getByRole('button', { name: 'Run now Wrong one' }))
    await expect(wrong).toContainText('Failed', { timeout: 30_000 })
    await expect(wrong).toContainText('The network refused the sign-in (422).')
    await expect(wrong.getByRole('button', { name: 'Run now Wrong one' })).toBeFocused()

    await credential('Good one', login.pass)
    await page.reload()
    const good = healthOf(page, 'Good one')
    await good.getByRole('button', { name: 'Run now Good one' }).click()
    await expect(good).toContainText(/Fetching… orders, page \d/, { timeout: 30_000 })
    await expect(good).toContainText(/\d+ rows/)
    await expect(good).toContainText('OK', { timeout: 30_000 })
    await expect(good).toContainText(/69 rows · next \d\d\.\d\d \d\d:\d\d/)

    await pressOn(page, good.getByRole('button', { name: 'Runs Good one' }))
    const runs = page.getByRole('dialog', { name: 'Runs of Good one' })
    await expect(runs.locator('tr[data-key]').last()).toContainText('60')
    await expectAccessible(page, 'the runs')
    await page.keyboard.press('Escape')
    await expect(good.getByRole('button', { name: 'Runs Good one' })).toBeFocused()

    await expectSound(page, 'health', [
      [1440, 'light'],
      [360, 'dark'],
      [769, 'light'],
    ])
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.goto(`${api.url}/statistics?tab=money`)
    await choose(page, 'Source', 'Live')
    const money = rowOf(page, 'Live').getByRole('cell')
    const plain = async (index: number) =>
      Number((await money.nth(index).innerText()).replace('−', '-').replace(/[^\d.-]/g, ''))
    await expect(money).toHaveCount(9)
    const { balance, hold } = outside.network.store.balance()
    expect([await plain(2), await plain(5)]).toEqual([balance / 100, hold / 100])
    expect(await plain(3)).toBeCloseTo((await plain(2)) - (await plain(1)), 2)
    expect(await plain(6)).toBeCloseTo((await plain(5)) - (await plain(4)), 2)
    await expectAccessible(page, 'money')
  },
)

test('the courier’s account is fetched on demand like any network', async ({ page, api, outside }) => {
  const status = { code: 'NEW', title: 'Новый', eventtime: '2026-11-20 08:00:00' }
  const place = { person: 'Ойгул', phone: '+998901234567', town: 'Самарқанд', address: 'Регистон 1' }
  outside.courier.publish({ orderno: 'C-1', ...place, weight: '1', price: '1', statuses: [status] })
  const account = { name: 'Wrong courier', url: outside.courier.url, ...courierLogin }
  await api.call('POST', '/api/admin/courier-accounts/', { ...account, pass: 'no', user_id: await me(api) })
  await openSigned(page, api, '/settings/courier')
  const health = healthOf(page, 'Wrong courier')
  await health.getByRole('button', { name: 'Run now' }).click()
  await expect(health).toContainText('Неверный логин или пароль', { timeout: 30_000 })
  await rowOf(page, 'Wrong courier').getByRole('cell').first().click()
  const form = page.getByRole('dialog', { name: 'Edit courier account' })
  await form.getByLabel('Password', { exact: true }).fill(courierLogin.pass)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toHaveCount(0)
  await health.getByRole('button', { name: 'Run now' }).click()
  await expect(health).toContainText('OK', { timeout: 30_000 })
  await expect(health).toContainText('1 row')
  await expectAccessible(page, 'courier accounts')
  await page.goto(`${api.url}/parcels?period=any`)
  await expect(rowOf(page, 'C-1')).toContainText('Новый')
})

test(
  'says which orders may be missing until an admin has compared them',
  variants,
  async ({ page, api, outside }) => {
    const source_id = await newNetwork(api, outside.network, 'Forgetful', 0)
    const account = { name: 'Forgetful one', ...login, source_id, user_id: await me(api) }
    await api.call('POST', '/api/admin/source-credentials/', account)
    const gap = { from: '2026-03-01T10:00:00+05:00', to: '2026-03-20T10:00:00+05:00' }
    let isClosed = false
    await page.route('**/api/admin/source-credentials/?*', async (route) => {
      const answer = await route.fetch()
      const list = (await answer.json()) as { items: { name: string; health: object | null }[] }
      for (const row of list.items)
        if (row.name === account.name && row.health) Object.assign(row.health, { gap: isClosed ? null : gap })
      await route.fulfill({ response: answer, json: list })
    })
    await openSigned(page, api, '/users?tab=source-credentials')
    const health = healthOf(page, account.name)
    await health.getByRole('button', { name: 'Run now' }).click()
    await expect(health).toContainText('OK', { timeout: 30_000 })
    await pressOn(page, health.getByRole('button', { name: `Orders may be missing ${account.name}` }))
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('Orders made between 01.03 10:00 and 20.03 10:00 may be missing')
    await expectSound(page, 'the question about missing orders', looks)
    isClosed = true
    await pressOn(page, question.getByRole('button', { name: 'Checked' }))
    await expect(health.getByRole('button', { name: /Orders may be missing/ })).toHaveCount(0)

    await pressOn(page, health.getByRole('button', { name: `Runs ${account.name}` }))
    const runs = page.getByRole('dialog', { name: `Runs of ${account.name}` })
    await pressOn(page, runs.getByRole('button', { name: 'Read all orders' }))
    await expect(runs).toContainText('All orders will be read, which may take several runs.')
    await expectSound(page, 'the runs', looks)
  },
)
