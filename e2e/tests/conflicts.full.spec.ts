import { variants } from '../src/extent.ts'
import { offers } from '@karvon/contract/offers/offers.ts'
import type { Page } from '@playwright/test'
import type { Api } from '../src/api.ts'
import { openFirst } from '../src/resources.ts'
import { expect, expectAccessibleLayout, signIn, test } from '../src/test.ts'

test.use({ expectedStatus: [409], expectedText: ['net::ERR_FAILED'] })

interface Row {
  id: number
  name: string
}

/** Creates an offer with its own source and status. */
async function newOffer(api: Api, name: string): Promise<Row> {
  const [source, type] = [
    await api.call<Row>('POST', '/api/admin/cpa-sources/', {
      name: `Of ${name}`,
      url: 'https://cpa.example',
    }),
    await api.call<Row>('POST', '/api/admin/status-types/', { name: `Type of ${name}` }),
  ]
  const status = await api.call<Row>('POST', '/api/admin/statuses/', { name: `On ${name}`, type_id: type.id })
  const ids = { source_id: source.id, status_id: status.id }
  const rest = { price: 10, affiliate_fee: 1, store_name: 'Store' }
  return api.call<Row>('POST', '/api/admin/offers/', { name, ...ids, ...rest })
}

/** Opens the form of the one offer that a search finds. */
async function openOffer(page: Page, url: string, name: string) {
  await page.goto(`${url}/offers?search=${encodeURIComponent(name)}`)
  await expect(page.locator('tr[data-key]')).toHaveCount(1)
  const dialog = await openFirst(page)
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue(name)
  return dialog
}

test(
  'two tabs edit one offer: the second save shows a conflict, keeps its input and can load the newer row',
  variants,
  async ({ page, context, product, api }) => {
    const { id } = await newOffer(api, 'Both want it')
    await signIn(page, product.url, product.admin.username, product.admin.password)
    const ownForm = await openOffer(page, product.url, 'Both want it')
    const otherPage = await context.newPage()
    const otherForm = await openOffer(otherPage, product.url, 'Both want it')
    await otherForm.getByLabel('Name', { exact: true }).fill('Both want it, said the other')
    await otherForm.getByLabel('Price').fill('20')
    await otherForm.getByRole('button', { name: 'Save' }).click()
    await expect(otherForm.getByText('Offer saved successfully.')).toBeVisible()

    const name = ownForm.getByLabel('Name', { exact: true })
    await name.fill('Both want it, said I')
    await ownForm.getByRole('button', { name: 'Save' }).click()
    const alert = ownForm.getByRole('alert')
    await expect(alert).toContainText('Somebody changed this offer meanwhile. Nothing was saved.')
    await expect(alert).toBeFocused()
    await expect(name).toHaveValue('Both want it, said I')
    await expectAccessibleLayout(page, 'a conflict', [
      [1440, 'light'],
      [1440, 'dark'],
      [360, 'light'],
      [360, 'dark'],
    ])

    await page.keyboard.press('Tab')
    await expect(alert.getByRole('button', { name: 'Load the present values' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(name).toHaveValue('Both want it, said the other')
    await expect(ownForm.getByLabel('Price')).toHaveValue(/^20/)
    await expect(alert).toHaveCount(0)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null))
      .toBe(true)

    await name.fill('Both want it, said I at last')
    await ownForm.getByRole('button', { name: 'Save' }).click()
    await expect(ownForm.getByText('Offer saved successfully.')).toBeVisible()
    const row = await api.call<Row & { price: number }>('GET', `/api/admin/offers/${id}`)
    expect([row.name, row.price]).toEqual(['Both want it, said I at last', 20])
  },
)

test('a create form whose answer was lost makes no second row when saved again', async ({
  page,
  product,
  api,
}) => {
  await newOffer(api, 'For its names')
  await signIn(page, product.url, product.admin.username, product.admin.password)
  await page.goto(`${product.url}/offers`)
  await page.getByRole('button', { name: 'New offer' }).click()
  const dialog = page.getByRole('dialog', { name: 'New offer' })
  for (const [label, value] of [
    ['Name', 'Only once'],
    ['Price', '5'],
    ['Affiliate fee', '1'],
    ['Store name', 'Store'],
  ] as const)
    await dialog.getByLabel(label, { exact: true }).fill(value)
  for (const [label, value] of [
    ['Status', 'On For its names'],
    ['Source', 'Of For its names'],
  ] as const) {
    await dialog.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: value, exact: true }).click()
  }
  const keys: (string | undefined)[] = []
  const list = `**${offers.path}/`
  await page.route(list, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    keys.push(route.request().headers()['idempotency-key'])
    // The server has saved the row, and its answer is lost.
    await route.fetch()
    await route.abort('failed')
  })
  const save = dialog.getByRole('button', { name: 'Save' })
  await save.click()
  const alert = page.getByRole('alertdialog', { name: 'Failed to save offer. Please try again.' })
  await expect(alert).toBeVisible()
  await page.keyboard.press('Escape')
  await page.unroute(list)

  const request = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes(offers.path),
  )
  await save.click()
  keys.push((await request).headers()['idempotency-key'])
  await expect(dialog.getByText('Offer saved successfully.')).toBeVisible()
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
  const { items } = await api.call<{ items: Row[] }>('GET', '/api/admin/offers/?name=Only%20once')
  expect(items.length).toBe(1)
})
