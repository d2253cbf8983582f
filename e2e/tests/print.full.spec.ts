import { openSignedIn } from '../src/keyboard.ts'
import { importParcels } from '../src/orders.ts'
import { expect, test } from '../src/test.ts'

test.use({ colorScheme: 'dark' })

test('a page is printed in dark letters, with its title and its content', async ({ page, api }) => {
  await openSignedIn(page, api, '/users')
  const cell = page.getByRole('cell', { name: 'Administrator' }).first()
  await expect(cell).toBeVisible()
  const readInk = () => cell.evaluate((element) => getComputedStyle(element).color)
  const screenInk = await readInk()
  await page.emulateMedia({ media: 'print' })
  await expect(cell).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  for (const hidden of [
    page.getByRole('link', { name: 'Skip to content' }),
    page.getByRole('navigation').first(),
    page.getByRole('contentinfo'),
    page.getByRole('searchbox'),
    page.getByRole('button', { name: 'New user' }),
    page.getByRole('tablist'),
  ])
    await expect(hidden).toBeHidden()
  expect([screenInk, await readInk()]).toEqual(['rgb(230, 236, 238)', 'rgb(27, 35, 38)'])
})

test('an open dialog is printed as a whole, in place of its page', async ({ page, api }) => {
  await openSignedIn(page, api, '/offers')
  await page.getByRole('main').getByRole('button', { name: 'New offer' }).click()
  const dialog = page.getByRole('dialog', { name: 'New offer' })
  await expect(dialog).toBeVisible()
  await page.setViewportSize({ width: 794, height: 400 })
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('main')).toBeHidden()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeHidden()
  const isCut = () => dialog.evaluate((panel) => panel.scrollHeight > panel.clientHeight)
  await expect.poll(isCut).toBe(false)
})

test('a list is printed with the columns that fit its paper, in boxes that Firefox divides between pages', async ({
  page,
  api,
}) => {
  await importParcels(api, ['PRINT-1', 'NEW', 0, 'admin'])
  await openSignedIn(page, api, '/parcels')
  const row = page.getByRole('row').filter({ hasText: 'PRINT-1' })
  const countCells = () => row.locator('td:visible').count()
  await expect(row).toBeVisible()
  const allCells = await countCells()
  await page.emulateMedia({ media: 'print' })
  // A4 on its long and its short side, in pixels of CSS.
  await page.setViewportSize({ width: 1123, height: 794 })
  expect(await countCells()).toBe(allCells)
  await page.setViewportSize({ width: 794, height: 1123 })
  expect(await countCells()).toBeLessThan(allCells)
  const boxes = await page.locator('#root :has(table)').evaluateAll((elements) =>
    elements.map((element) => {
      const { display, containerType } = getComputedStyle(element)
      return `${display} ${containerType}`
    }),
  )
  expect(new Set(boxes)).toEqual(new Set(['block normal']))
})

test('a list is printed with its chosen filters', async ({ page, api }) => {
  await importParcels(api, ['PRINT-2', 'NEW', 0, 'admin'])
  await openSignedIn(page, api, '/leads?search=abc&from=2026-11-01&to=2026-11-30')
  const search = page.getByRole('searchbox')
  const period = page.getByRole('button', { name: '01.11.2026 – 30.11.2026' })
  const filter = page.getByRole('combobox', { name: 'Filter by source' })
  await expect(period).toBeVisible()
  await expect(filter).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(period).toBeVisible()
  await expect(search).toHaveValue('abc')
  await expect(search).toBeVisible()
  await expect(filter).toBeHidden()
  await expect(page.locator('main :not(th) > button:visible')).toHaveText('01.11.2026 – 30.11.2026')
  await openSignedIn(page, api, '/parcels')
  await expect(page.getByText('PRINT-2')).toBeVisible()
  const chips = page.getByRole('group').getByRole('button').filter({ visible: true })
  await expect(chips).toHaveText(/^Все/)
})

test('no control for selection or sorting is printed over the rows', async ({ page, api }) => {
  await openSignedIn(page, api, '/users')
  const row = page.getByRole('row').filter({ hasText: 'admin@' })
  await row.getByRole('checkbox').check()
  await page.emulateMedia({ media: 'print' })
  // The short and the long side of A4.
  for (const width of [794, 718, 1123]) {
    await page.setViewportSize({ width, height: 1123 })
    await expect(row).toBeVisible()
    for (const control of ['checkbox', 'combobox'] as const)
      await expect(page.getByRole('main').getByRole(control)).toHaveCount(0)
    await expect(page.getByText('1 selected')).toBeHidden()
  }
})
