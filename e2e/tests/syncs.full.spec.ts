import { variants } from '../src/extent.ts'
import type { Page } from '@playwright/test'
import type { FakeNetwork } from '@karvon/testkit/fakes/network.ts'
import type { Api } from '../src/api.ts'
import { openSignedIn, pressOn, typeInto } from '../src/keyboard.ts'
import { newSource } from '../src/leads.ts'
import { networkLogin as login, test } from '../src/fakes.ts'
import { expect, expectAccessible, expectAccessibleLayout } from '../src/test.ts'

const appearances = [[1440, 'light'] as const, [360, 'dark'] as const]

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const healthOf = (page: Page, text: string) => rowOf(page, text).getByRole('cell').last()

const readUserId = async (api: Api) => (await api.call<{ id: number }>('GET', '/parcel/auth/me')).id

/** Creates a source with a connector; `pause` is the pause between pages in milliseconds. */
async function newNetwork(api: Api, { url }: FakeNetwork, name: string, pause: number): Promise<number> {
  const cpa_source_id = await newSource(api, name)
  const mapping = { base_url: url, limits: { page_delay_ms: pause } }
  await api.call('POST', '/api/admin/cpa-websites/', { name, cpa_source_id, connector: '100k', mapping })
  return cpa_source_id
}

test.describe('Connector test in the form', () => {
  test.use({ expectedStatus: [422] })

  test("a test in a source credential's form shows what the unsaved values fetch, and stores nothing", async ({
    page,
    api,
    fakes,
  }) => {
    const source_id = await newNetwork(api, fakes.network, 'Trial', 0)
    await openSignedIn(page, api, '/settings/cpa-websites?tab=credentials')
    await rowOf(page, 'Trial').getByRole('cell').first().click()
    const dialog = page.getByRole('dialog', { name: 'Edit CPA credential' })
    await expect(dialog.getByRole('combobox', { name: 'Connector' })).toHaveValue('100k.uz')
    const form = dialog.getByRole('region', { name: 'Test' })
    const results = form.getByRole('region', { name: 'Results' })

    // A wrong login fails the sign-in, and no other call is made.
    await typeInto(page, form.getByLabel('Login', { exact: true }), login.login)
    await typeInto(page, form.getByLabel('Password', { exact: true }), 'not it')
    await page.keyboard.press('Enter')
    await expect(results).toContainText('Failed')
    await expect(results.getByRole('table')).toHaveCount(0)

    await typeInto(page, form.getByLabel('Password', { exact: true }), login.pass)
    await pressOn(page, form.getByRole('button', { name: 'Test' }))
    for (const part of ['Sign-in', 'Finance', 'Offers', 'Streams', 'Orders'])
      await expect(results.getByRole('heading', { name: `${part} OK` })).toBeVisible()
    await expect(results.getByRole('region', { name: 'Orders' })).toContainText('external_id')
    await expect(results.getByRole('region', { name: 'Streams' })).toContainText('TikTok')
    await expectAccessible(page, 'the test')

    // With another mapping, not saved, each order is unreadable with a reason.
    const mapping = dialog.getByLabel('Mapping')
    await mapping.fill('{ "orders": { "fields": ')
    await form.getByRole('button', { name: 'Test' }).click()
    await expect(form).toContainText('Enter a JSON object: this is none from line 1, column 25')
    await mapping.fill(
      JSON.stringify({
        base_url: fakes.network.url,
        limits: { page_delay_ms: 0 },
        orders: { fields: { created_at: 'region' } },
      }),
    )
    await form.getByRole('button', { name: 'Test' }).click()
    await expect(results).toContainText('Could not be read')
    await mapping.fill('{ "orders": 5 }')
    await form.getByRole('button', { name: 'Test' }).click()
    await expect(form).toContainText('orders')
    await expect(form).toContainText('Failed to test the credential.')

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
  'a source credential is tested in the list with its saved values',
  variants,
  async ({ page, api, fakes }) => {
    const source_id = await newNetwork(api, fakes.network, 'Tested', 0)
    const user_id = await readUserId(api)
    for (const [name, pass] of [
      ['Tested well', login.pass],
      ['Tested badly', 'not it'],
    ])
      await api.call('POST', '/api/admin/source-credentials/', { name, ...login, pass, source_id, user_id })
    await openSignedIn(page, api, '/users?tab=source-credentials')
    const openForm = async (name: string) => {
      await rowOf(page, name).getByRole('cell').first().click()
      const form = page
        .getByRole('dialog', { name: 'Edit source credential' })
        .getByRole('region', { name: 'Test' })
      await pressOn(page, form.getByRole('button', { name: 'Test' }))
      return form.getByRole('region', { name: 'Results' })
    }
    const bad = await openForm('Tested badly')
    await expect(bad).toContainText('The network refused the sign-in (422).')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const good = await openForm('Tested well')
    for (const part of ['Sign-in', 'Finance', 'Offers', 'Streams', 'Orders'])
      await expect(good.getByRole('heading', { name: `${part} OK` })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Test', exact: true })).toBeFocused()
    await expectAccessibleLayout(page, 'the test', appearances)
  },
)

test.describe('Connectors', () => {
  test.use({ expectedStatus: [422] })

  test('a connector is added as data, and a built-in connector is read-only', async ({
    page,
    api,
    fakes,
  }) => {
    await openSignedIn(page, api, '/settings/cpa-websites?tab=connectors')
    await rowOf(page, '100k.uz').getByRole('cell').first().click()
    const connectorDialog = page.getByRole('dialog', { name: 'Edit connector' })
    await expect(connectorDialog.getByRole('region', { name: 'Description' })).toContainText('/auth/sign-in')
    await expect(connectorDialog.getByRole('button', { name: 'Save' })).toHaveCount(0)
    await expectAccessible(page, 'a built-in connector')
    await page.keyboard.press('Escape')
    await expect(connectorDialog).toHaveCount(0)

    await pressOn(page, page.getByRole('button', { name: 'New connector' }))
    const form = page.getByRole('dialog', { name: 'New connector' })
    await form.getByLabel('Code').fill('quiet')
    await form.getByLabel('Name').fill('Quiet network')
    await form.getByLabel('Description').fill('{ "sign_in": "by hand" }')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByLabel('Description')).toHaveAccessibleDescription(/sign_in must be object/)
    await form.getByLabel('Description').fill(JSON.stringify({ base_url: fakes.network.url }))
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
  'a requested sync run shows its progress and stays in the list, and the money of the source is compared',
  variants,
  async ({ page, api, fakes }) => {
    test.setTimeout(120_000)
    const source_id = await newNetwork(api, fakes.network, 'Live', 2500)
    const user_id = await readUserId(api)
    const credential = (name: string, pass: string) =>
      api.call('POST', '/api/admin/source-credentials/', { name, ...login, pass, source_id, user_id })
    await credential('Wrong one', 'not it')
    await openSignedIn(page, api, '/users?tab=source-credentials')
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
    await expect(good).toContainText('OK', { timeout: 60_000 })
    // Its result is announced, too.
    await expect(good.locator('[aria-live=polite]')).toHaveText('OK')
    await expect(good).toContainText(/69 rows · next \d\d\.\d\d \d\d:\d\d/)

    await pressOn(page, good.getByRole('button', { name: 'Runs Good one' }))
    const runs = page.getByRole('dialog', { name: 'Runs of Good one' })
    await expect(runs).toBeFocused()
    await expect(runs.locator('tr[data-key]').last()).toContainText('60')
    await expectAccessible(page, 'the runs')
    await page.keyboard.press('Escape')
    await expect(good.getByRole('button', { name: 'Runs Good one' })).toBeFocused()

    await expectAccessibleLayout(page, 'health', [
      [1440, 'light'],
      [360, 'dark'],
      [769, 'light'],
    ])
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.goto(`${api.url}/statistics?tab=money`)
    await page.getByRole('searchbox').fill('Good one')
    const money = rowOf(page, 'Good one').getByRole('cell')
    const plain = async (index: number) =>
      Number((await money.nth(index).innerText()).replace('−', '-').replace(/[^\d.-]/g, ''))
    await expect(rowOf(page, 'Wrong one')).toHaveCount(0)
    await expect(money).toHaveCount(10)
    const { balance, hold } = fakes.network.store.balance()
    expect([await plain(7), await plain(5)]).toEqual([balance / 100, hold / 100])
    expect(await plain(6)).toBeCloseTo((await plain(3)) - (await plain(4)) - (await plain(5)), 2)
    expect(await plain(8)).toBeCloseTo((await plain(7)) - (await plain(6)), 2)
    await expectAccessible(page, 'money')
    await money.first().click()
    const difference = page.getByRole('dialog', { name: 'Difference of Good one' })
    await expect(difference.getByRole('columnheader').first()).toHaveText('Reason')
    await expectAccessible(page, 'the lines of a difference')
    await page.keyboard.press('Escape')
    await expect(difference).toHaveCount(0)
  },
)

test(
  'the sync runs name the orders that may be missing until an admin has compared them',
  variants,
  async ({ page, api, fakes }) => {
    const source_id = await newNetwork(api, fakes.network, 'Forgetful', 0)
    const account = { name: 'Forgetful one', ...login, source_id, user_id: await readUserId(api) }
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
    await openSignedIn(page, api, '/users?tab=source-credentials')
    const health = healthOf(page, account.name)
    await health.getByRole('button', { name: 'Run now' }).click()
    await expect(health).toContainText('OK', { timeout: 30_000 })
    await pressOn(page, health.getByRole('button', { name: `Orders may be missing ${account.name}` }))
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('Orders made between 01.03 10:00 and 20.03 10:00 may be missing')
    await expectAccessibleLayout(page, 'the question about missing orders', appearances)
    isClosed = true
    await pressOn(page, question.getByRole('button', { name: 'Checked' }))
    await expect(health.getByRole('button', { name: /Orders may be missing/ })).toHaveCount(0)

    await pressOn(page, health.getByRole('button', { name: `Runs ${account.name}` }))
    const runs = page.getByRole('dialog', { name: `Runs of ${account.name}` })
    await pressOn(page, runs.getByRole('button', { name: 'Read all orders' }))
    await expect(runs).toContainText('All orders will be read, which may take several runs.')
    await expectAccessibleLayout(page, 'the runs', appearances)
  },
)
