import type { Locator, Page } from '@playwright/test'
import { mockAnswer } from '../src/bare.ts'
import { openSignedIn } from '../src/keyboard.ts'
import { presetLanguage } from '../src/languages.ts'
import { chooseOption } from '../src/leads.ts'
import { importParcels } from '../src/orders.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, test } from '../src/test.ts'

test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })

/** How many lines the first text of an element has. */
const countLines = (element: Locator) =>
  element.evaluate((box) => {
    const range = document.createRange()
    range.selectNodeContents(document.createTreeWalker(box, NodeFilter.SHOW_TEXT).nextNode() ?? box)
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
  })

const readValues = (page: Page) =>
  page
    .locator('input[role=combobox]')
    .evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value))

test('a long amount and a long order number stay on one line on a phone', async ({ page, api }) => {
  const zeros = { on_hold: 0, requested: 0, earned: 0, paid: 0, minimum: 0 }
  await mockAnswer(page, '/api/user/balance', {
    body: { currency: 'UZS', ...zeros, available: 1_680_448.5, earned: 123_456_789_012.5, others: [] },
  })
  await importParcels(api, ['EX-9976886', 'CANCELED', 0, 'admin'])
  await presetLanguage(page, 'uz')
  await openSignedIn(page, api, '/money')
  for (const amount of ['1 680 448,50', '123 456 789 012,50']) {
    const link = page.getByRole('link', { name: amount })
    await expect(link).toBeVisible()
    expect(await countLines(link), amount).toBe(1)
  }
  await expectNoHorizontalScroll(page)

  await page.goto(`${api.url}/parcels`)
  const orderNumber = page.getByText('EX-9976886', { exact: true })
  await expect(orderNumber).toBeVisible()
  expect(await countLines(orderNumber)).toBe(1)
})

test('labels of filters, titles and bulk actions are not cut on a phone in Russian', async ({
  page,
  api,
}) => {
  await presetLanguage(page, 'ru')
  for (const [path, text] of [
    ['/users', 'Любое состояние'],
    ['/explore', 'Последние 30 дней'],
    ['/settings/courier', 'Все пользователи'],
  ] as const) {
    await openSignedIn(page, api, path)
    await expect.poll(() => readValues(page)).toContain(text)
    const cutTexts = await page
      .locator('h1, input[role=combobox]')
      .evaluateAll((elements) =>
        elements
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map((element) => (element instanceof HTMLInputElement ? element.value : element.textContent)),
      )
    expect(cutTexts, path).toEqual([])
  }
  await openSignedIn(page, api, '/users')
  await page.getByRole('checkbox').last().check()
  for (const name of ['Активировать', 'Деактивировать', 'Очистить'])
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
})

test('a button shows the filters of a list on a phone, and counts those that are set', async ({
  page,
  api,
}) => {
  await openSignedIn(page, api, '/streams')
  const state = page.getByRole('combobox', { name: 'Filter by active' })
  await expect(page.getByText('No data found.')).toBeVisible()
  await expect(state).toBeHidden()
  await page.getByRole('button', { name: 'Filters', exact: true }).press('Enter')
  await chooseOption(page, 'Filter by active', 'Inactive')
  await expectAccessible(page, 'filters')
  await page.getByRole('button', { name: 'Filters 1', exact: true }).press('Enter')
  await expect(state).toBeHidden()
  await expect(page).toHaveURL(/is_active=false/)
  await expectNoHorizontalScroll(page)
  // A short list of filters, and a wide window, need no button.
  await page.goto(`${api.url}/offers`)
  await expect(page.getByRole('combobox', { name: 'Filter by status' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Filters/ })).toBeHidden()
  await page.setViewportSize({ width: 1440, height: 740 })
  await page.goto(`${api.url}/streams`)
  await expect(state).toBeVisible()
  await expect(page.getByRole('button', { name: /^Filters/ })).toBeHidden()
})

test('a phone that is turned keeps the opened filters and what is typed into them', async ({ page, api }) => {
  await openSignedIn(page, api, '/leads')
  const [portrait, landscape] = [
    { width: 360, height: 740 },
    { width: 800, height: 360 },
  ]
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  const state = page.getByRole('combobox', { name: 'Filter by state' })
  await state.click()
  for (const size of [landscape, portrait]) {
    await page.setViewportSize(size)
    await expect(page.getByRole('button', { name: /^Filters/ })).toBeVisible({
      visible: size === portrait,
    })
    await expect(state).toBeFocused()
  }
  await page.keyboard.press('Escape')
  const sourceStatus = page.getByRole('searchbox', { name: 'Source status' })
  await sourceStatus.fill('new')
  await page.setViewportSize(landscape)
  await expect(sourceStatus).toHaveValue('new')
  await expect(page).toHaveURL(/source_status=new/)
})

test('the longest label of an action fits the smallest phone in Russian', async ({ page, api }) => {
  await page.setViewportSize({ width: 320, height: 740 })
  await presetLanguage(page, 'ru')
  await openSignedIn(page, api, '/users?tab=roles&view=access')
  await expect(page.getByRole('button', { name: 'Создать доступ ролей' })).toBeVisible()
  await expectNoHorizontalScroll(page)
})

test('a card on a phone has no label of a value that its row lacks', async ({ page, api }) => {
  await openSignedIn(page, api, '/profile')
  const ownSession = page
    .getByRole('region', { name: 'Sessions' })
    .getByRole('row')
    .filter({ hasText: 'This session' })
  await expect(ownSession).toBeVisible()
  await expect(ownSession.locator('[data-label=Actions]')).toBeHidden()
})

test('a table that does not fit a small laptop scrolls to its last column', async ({ page, api }) => {
  await page.setViewportSize({ width: 1024, height: 740 })
  await openSignedIn(page, api, '/users')
  const table = page.getByRole('table')
  await expect(table.getByText('Administrator').first()).toBeVisible()
  await table.getByRole('columnheader').last().scrollIntoViewIfNeeded()
  await expect(table.getByRole('columnheader').last()).toBeInViewport({ ratio: 1 })
  await expectNoHorizontalScroll(page)
})

test('no field of a phone has a text below 16 px, into which Safari would zoom', async ({ page, api }) => {
  for (const path of ['/parcels', '/leads', '/profile', '/explore']) {
    await openSignedIn(page, api, path)
    const fields = page.locator('input:not([type=checkbox]), select, textarea')
    await expect(fields.first()).toBeVisible()
    const sizes = await fields.evaluateAll((all) => all.map((field) => getComputedStyle(field).fontSize))
    expect(new Set(sizes), path).toEqual(new Set(['16px']))
  }
})

test('the values of a card end at one edge at any width of cards', async ({ page, api }) => {
  await importParcels(api, ['EX-1', 'NEW', 0, 'admin'])
  for (const width of [360, 600, 768]) {
    await page.setViewportSize({ width, height: 740 })
    await openSignedIn(page, api, '/audit')
    const values = page.locator('tbody tr').first().locator('[data-label]')
    await expect(values.first()).toBeVisible()
    const edges = await values.evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return Math.round(range.getBoundingClientRect().right)
      }),
    )
    expect(new Set(edges).size, `${width} px: ${edges.join(', ')}`).toBe(1)
  }
})

test('the typed days of a period are not cut on a phone', async ({ page, api }) => {
  await openSignedIn(page, api, '/parcels')
  await page.getByRole('button', { name: /01\.\d\d\.\d{4}/ }).tap()
  const days = page.getByPlaceholder('дд.мм.гггг')
  await expect(days).toHaveCount(2)
  const cutDays = await days.evaluateAll((fields: HTMLInputElement[]) =>
    fields.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ value }) => value),
  )
  expect(cutDays).toEqual([])
})

test('the page has an icon for the home screen of a phone', async ({ page, api }) => {
  await page.goto(`${api.url}/login`)
  const icon = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')
  const size = await page.evaluate(async (src) => {
    const image = Object.assign(new Image(), { src })
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  }, icon ?? '')
  expect(size).toEqual([180, 180])
})
