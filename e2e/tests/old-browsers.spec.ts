import { simulateOldBrowser } from '../src/old-browsers.ts'
import { buildOrderSheet, importParcels } from '../src/orders.ts'
import { expect, signIn, test } from '../src/test.ts'

test('an old browser shows, searches parcels, previews orders, saves a form and exports', async ({
  page,
  product,
  api,
}) => {
  await importParcels(api, ['OLD-1', 'NEW', 0, 'admin'], ['OLD-2', 'NEW', 0, 'admin'])
  await simulateOldBrowser(page)
  await signIn(page, product.url, product.admin.username, product.admin.password)
  expect(await page.evaluate(() => 'groupBy' in Object)).toBe(false)
  await page.getByPlaceholder('Поиск по номеру заказа').fill('OLD-2')
  const rows = page.getByRole('row')
  await expect(rows.filter({ hasText: 'OLD-2' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'OLD-1' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Загрузка заказов' }).click()
  await page.locator('input[type=file]').setInputFiles({
    name: 'orders.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: await buildOrderSheet([
      ['№ заказа', 'Дата', 'Получатель', 'Вес'],
      ['OLD-3', '2026-11-20', 'Бобур Алимов', 'тяжёлый'],
    ]),
  })
  await expect(page.getByRole('region', { name: 'Предпросмотр заказов' })).toContainText('тяжёлый')

  // Popups are above the dialog and beside their fields, although there is no top layer.
  await page.goto(`${product.url}/offers`)
  await page.getByRole('button', { name: 'New offer' }).click()
  await page.getByRole('dialog').getByRole('combobox').first().click()
  const options = page.getByRole('listbox')
  await expect(options).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')

  await page.goto(`${product.url}/settings/cpa-websites`)
  await page.getByRole('button', { name: 'New CPA source' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('Old network')
  await form.getByLabel('URL').fill('https://network.example')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Old network' })).toHaveCount(1)

  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.csv$/)
})
