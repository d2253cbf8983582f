import { dialogOf, expect, test } from '../src/bare.ts'

/** Parts whose code cannot be loaded: the connection is away, or a new version has replaced the file. */
test.use({ expectedText: ['Failed to load resource', 'net::ERR_', 'dynamically imported module'] })

const notLoaded = 'This part could not be loaded. Reload the page.'
const notLoadedInRussian = 'Не удалось загрузить эту часть. Обновите страницу.'

test('a form whose code cannot be loaded says so, and the page keeps its input and the focus', async ({
  page,
  open,
}) => {
  await page.route('**/resource-form-*.js', (route) => route.abort())
  await open('/offers', 'admin')
  await page.getByRole('searchbox').fill('Kettle')
  const create = page.getByRole('button', { name: 'New offer' })
  await create.click()
  const message = page.getByRole('alertdialog')
  await expect(message).toContainText(notLoaded)
  await page.keyboard.press('Enter')
  await expect(message).toBeHidden()
  await expect(page.getByRole('searchbox')).toHaveValue('Kettle')
  await expect(create).toBeFocused()
  await create.click()
  await expect(message).toContainText(notLoaded)
})

test('a detail beside its list that cannot be loaded says so, and the list stays', async ({ page, open }) => {
  await page.route('**/parcel-detail-*.js', (route) => route.abort())
  await page.setViewportSize({ width: 1440, height: 900 })
  await open('/parcels', 'admin')
  await page.locator('tr[data-key]').first().click()
  await expect(page.getByRole('alert')).toContainText(notLoadedInRussian)
  await expect(page.locator('tr[data-key]').first()).toBeVisible()
})

test('a calendar that cannot be loaded says so in its popup', async ({ page, open }) => {
  await page.route('**/date-range.panel-*.js', (route) => route.abort())
  await open('/parcels', 'admin')
  await page.getByRole('button', { name: /^Период/ }).click()
  await expect(dialogOf(page)).toContainText(notLoadedInRussian)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()
  await expect(page.getByRole('table')).toBeVisible()
})

test('a page that cannot be loaded without a connection says so in the app, and opens once the connection is back', async ({
  page,
  context,
  open,
}) => {
  await open('/offers', 'admin')
  await expect(page.getByRole('table')).toBeVisible()
  const link = page.getByRole('link', { name: 'Streams', exact: true }).first()
  await context.setOffline(true)
  await link.click()
  await expect(page.getByRole('alert')).toContainText('The server cannot be reached.')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Streams')
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Offers', exact: true }).first().click()
  await expect(page.getByRole('table')).toBeVisible()
  await link.click()
  await expect(page.getByRole('table')).toBeVisible()
})
