import { holdAnswers } from '../src/bare.ts'
import { variants } from '../src/extent.ts'
import { openSignedIn, pressOn, typeInto } from '../src/keyboard.ts'
import { chooseOption, expectLeads, knownLeads, type KnownLeads } from '../src/leads.ts'
import { expect, expectAccessibleLayout, signIn, test as base } from '../src/test.ts'

const test = base.extend<object, { known: KnownLeads }>({ known: knownLeads })

const days = 'from=2026-11-10&to=2026-11-11'
const appearances = [
  [1440, 'light'],
  [360, 'dark'],
  [768, 'light'],
] as const

test('rows, columns and a filter are in the address, and a figure opens its leads', async ({
  page,
  api,
  known,
}) => {
  expect(known.alpha).toBeGreaterThan(0)
  await openSignedIn(page, api, `/explore?${days}&metrics=leads,profit`)
  const cells = (row: string) => page.getByRole('row', { name: new RegExp(`^${row}`) }).getByRole('cell')
  await expect(cells('10.11.2026').nth(1)).toHaveText('14')
  await chooseOption(page, 'Rows', 'Offer')
  await expect(page).toHaveURL(/rows=offer/)
  await expect(cells('Kettle').nth(1)).toHaveText('7')
  await chooseOption(page, 'Columns', 'Weekday')
  await page.getByRole('button', { name: 'Pivot' }).click()
  await expect(page.getByRole('columnheader', { name: 'Wednesday' })).toBeVisible()
  await expect(cells('None').nth(1)).toHaveText('2')
  await expect(cells('Total').nth(1)).toHaveText('20')
  await chooseOption(page, 'Add a filter', 'Source')
  await chooseOption(page, 'Filter: Source', 'Alpha')
  await expect(page).toHaveURL(new RegExp(`source=${known.alpha}`))
  await expect(cells('Total').nth(1)).toHaveText('15')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Remove Alpha' })).toBeVisible()
  await cells('Lamp').nth(1).getByRole('link').click()
  await expect(page).toHaveURL(/\/leads\?.*offer_id=/)
  await expectLeads(page, 6)
  await page.goBack()
  await cells('Lamp').nth(2).getByRole('link').click()
  await expect(page).toHaveURL(/weekday=2/)
  await expectLeads(page, 2)
  await expect(page.getByRole('button', { name: 'Remove Tuesday' })).toBeVisible()
})

test(
  'several values of a filter are chosen by keyboard, stay in the address, and are those of the leads',
  variants,
  async ({ page, api, known }) => {
    expect(known.alpha).toBeGreaterThan(0)
    await openSignedIn(page, api, `/explore?${days}&rows=source&metrics=leads&without=region`)
    const total = page
      .getByRole('row', { name: /^Total/ })
      .getByRole('cell')
      .nth(1)
    const options = Promise.withResolvers<void>()
    await page.route(/\/explore\/?\?(.*&)?rows=offer/, async (route) => {
      await options.promise
      await route.continue()
    })
    await chooseOption(page, 'Add a filter', 'Offer')
    const filter = page.getByRole('combobox', { name: 'Filter: Offer' })
    // Enter waits for options that are still loading.
    await typeInto(page, filter, 'Lamp')
    await page.keyboard.press('Enter')
    options.resolve()
    await expect(page).toHaveURL(/offer=\d+/)
    await expect(filter).toBeFocused()
    await expect(page.getByRole('option', { name: 'Without offer' })).toBeVisible()
    await typeInto(page, filter, 'Without')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/offer=\d+%2C0/)
    await expect(total).toHaveText('8')
    await expectAccessibleLayout(page, 'filters of several values', appearances)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Remove Lamp' })).toBeVisible()
    await total.getByRole('link').click()
    await expect(page).toHaveURL(/\/leads\?.*offer_id=\d+%2C0/)
    await expectLeads(page, 8)
    await page.getByRole('button', { name: 'Filters 3', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Remove Lamp' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove Without offer' })).toBeVisible()
    await page.goBack()
    // The leads have a button of this name, too.
    await expect(filter).toBeVisible()
    await pressOn(page, page.getByRole('button', { name: 'Remove Lamp' }))
    await expect(page).toHaveURL(/offer=0/)
    await expect(filter).toBeFocused()
    await page.keyboard.press('Backspace')
    await expect(page).not.toHaveURL(/offer=/)
    await expect(filter).toBeFocused()
  },
)

test('a comparison shows the difference and the percent, and no percent from nothing', async ({
  page,
  api,
  known,
}) => {
  expect(known.beta).toBeGreaterThan(0)
  await openSignedIn(page, api, '/explore?from=2026-11-11&to=2026-11-11&rows=offer&metrics=leads')
  await chooseOption(page, 'Compare with', 'Period before')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('Lamp')).toContainText('+2 (+100.0%)')
  await expect(row('None')).toContainText('+2 (new)')
  await expect(row('Kettle')).toContainText('−7 (−100.0%)')
  await expect(page.getByRole('row', { name: /^Total/ })).toContainText('−8')
})

test('a question of Explore is asked by keyboard, and the leads of a figure are opened by keyboard', async ({
  page,
  api,
  known,
}) => {
  expect(known.alpha).toBeGreaterThan(0)
  await openSignedIn(page, api, `/explore?${days}&metrics=leads`)
  await typeInto(page, page.getByRole('combobox', { name: 'Rows', exact: true }), 'Offer')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/rows=offer/)
  await pressOn(page, page.getByRole('button', { name: 'Bars' }))
  await expect(page.getByRole('img', { name: /The table below has the same figures/ })).toBeVisible()
  const kettle = page.getByRole('row', { name: /^Kettle/ })
  await pressOn(page, kettle.getByRole('link'))
  await expect(page).toHaveURL(/offer_id=/)
  await expectLeads(page, 7)
})

for (const view of ['table', 'bars'] as const)
  test(`a question shown as ${view} has its columns while it loads, and nothing moves with the answer`, async ({
    page,
    api,
    known,
  }) => {
    expect(known.alpha).toBeGreaterThan(0)
    await openSignedIn(page, api, '/profile')
    const release = await holdAnswers(page, '/api/admin/explore?*')
    await page.goto(`${api.url}/explore?${days}&rows=offer&metrics=leads,sold&view=${view}`)
    const table = page.getByRole('table')
    await expect(table).toHaveAttribute('aria-busy', 'true')
    await expect(table.getByRole('columnheader')).toHaveText(['Offer', 'Leads', 'Sold'])
    const place = await table.boundingBox()
    await release()
    await expect(table.getByRole('row', { name: /^Kettle/ })).toBeVisible()
    if (view === 'bars') await expect(page.getByRole('img', { name: /^Leads/ })).toBeVisible()
    expect((await table.boundingBox())?.y).toBeCloseTo(place?.y ?? NaN, 0)
  })

test('the statistics link to Explore', async ({ page, api }) => {
  await openSignedIn(page, api, '/statistics')
  await page.getByRole('link', { name: 'Explore by any two dimensions' }).click()
  await expect(page).toHaveURL(/\/explore/)
})

test('a buyer sees only their own leads in Explore', async ({ page, product, known }) => {
  await signIn(page, product.url, known.buyer.username, known.buyer.password)
  await page.goto(`${product.url}/explore?${days}&rows=stream&metrics=leads`)
  const rows = page.locator('tr[data-key]')
  await expect(rows).toHaveCount(1)
  await expect(rows.getByRole('cell')).toHaveText(['Autumn', '8'])
})
