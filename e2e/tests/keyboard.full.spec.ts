import type { Page } from '@playwright/test'
import { listHiddenFocus } from '../src/focus.ts'
import { expect, openSignedIn, pressOn, signInByKeyboard, tabTo, test, typeInto } from '../src/keyboard.ts'
import { measureSavedMessage } from '../src/saved-message.ts'

// No test in this file presses a mouse button.

const rows = (page: Page) => page.locator('tr[data-key]')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const row = (page: Page) => page.locator('tr[data-key][tabindex="0"]')

test('the sign-in, the skip link, a menu section and its page work by keyboard', async ({
  page,
  product,
}) => {
  await signInByKeyboard(page, product)
  await expect(rows(page)).not.toHaveCount(0)
  await page.goto(`${product.url}/parcels`)
  await pressOn(page, page.getByRole('link', { name: 'Skip to content' }))
  await expect(page.getByRole('main')).toBeFocused()
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await pressOn(page, menu.getByRole('link', { name: 'Settings' }))
  await expect(page).toHaveURL(/cpa-websites$/)
  await pressOn(page, menu.getByRole('link', { name: 'Statuses' }))
  await expect(page).toHaveURL(/statuses$/)
})

test('an offer is created, changed and deleted by keyboard', async ({ page, api }) => {
  await openSignedIn(page, api, '/offers')
  const opener = button(page, 'New offer')
  await pressOn(page, opener)
  const dialog = page.getByRole('dialog')
  const field = (name: string) => dialog.getByLabel(name, { exact: true })
  await expect(field('Name')).toBeFocused()
  await page.keyboard.type('Zebra lamp')
  await typeInto(page, field('Price'), '199000')
  await typeInto(page, field('Affiliate fee'), '40000.5')
  await typeInto(page, field('Store name'), 'Home')
  await pressOn(page, dialog.getByRole('combobox', { name: 'Status', exact: true }), 'ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('combobox', { name: 'Status', exact: true })).not.toHaveValue('')
  await tabTo(page, dialog.getByRole('combobox', { name: 'Source', exact: true }))
  await page.keyboard.type('s')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('combobox', { name: 'Source', exact: true })).toHaveValue(/^s/i)
  const messageTime = measureSavedMessage(page)
  await pressOn(page, field('Extra id'))
  await expect(dialog.getByText('Offer saved successfully.')).toBeVisible()
  await expect(opener).toBeFocused()
  expect(await messageTime, 'milliseconds until it closed').toBeGreaterThan(700)
  await expect(dialog).toHaveCount(0)

  await typeInto(page, page.getByRole('searchbox'), 'Zebra')
  await expect(rows(page)).toHaveCount(1)
  await pressOn(page, row(page))
  await expect(field('Name')).toBeFocused()
  await expect(field('Name')).toHaveValue('Zebra lamp')
  await typeInto(page, field('Name'), 'Zebra lantern')
  await page.keyboard.press('Enter')
  await expect(row(page)).toBeFocused()
  await expect(row(page)).toContainText('Zebra lantern')
  await page.keyboard.press('Enter')
  await pressOn(page, dialog.getByRole('button', { name: 'Delete' }))
  const confirmation = page.getByRole('alertdialog')
  await expect(confirmation.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await pressOn(page, confirmation.getByRole('button', { name: 'Delete' }))
  await expect(dialog).toHaveCount(0)
  await expect(rows(page)).toHaveCount(0)
})

test('the offers are sorted, paged, resized and filtered by keyboard', async ({ page, api }) => {
  await openSignedIn(page, api, '/offers')
  await expect(rows(page)).toHaveCount(10)
  const head = page.getByRole('columnheader', { name: 'Name', exact: true })
  await pressOn(page, head.getByRole('button'))
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await page.keyboard.press(' ')
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await pressOn(page, button(page, 'Страница 2'))
  await expect(page).toHaveURL(/page=2/)
  await pressOn(page, page.getByLabel('Записей на странице'), 'ArrowDown')
  await expect(page).toHaveURL(/size=25/)
  await expect(page).not.toHaveURL(/page=2/)
  const filter = page.getByRole('combobox', { name: 'Filter by source' })
  await pressOn(page, filter, 'ArrowDown')
  await expect(page.getByRole('listbox').getByRole('option').nth(1)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/source_id=\d/)
  await expect(filter).toBeFocused()
})

test('users are selected one by one and all, and a role gets its sources, by keyboard', async ({
  page,
  product,
  api,
}) => {
  await openSignedIn(page, api, '/users')
  await expect(rows(page)).not.toHaveCount(0)
  await pressOn(page, rows(page).first().getByRole('checkbox'), ' ')
  await expect(page.getByText('1 selected')).toBeVisible()
  await pressOn(page, page.getByRole('checkbox', { name: 'Select all rows' }), ' ')
  await expect(page.getByText(`${await rows(page).count()} selected`)).toBeVisible()
  await tabTo(page, button(page, 'Activate'))
  await tabTo(page, button(page, 'Deactivate'))
  await pressOn(page, button(page, 'Clear'))
  await expect(page.getByText(/ selected$/)).toHaveCount(0)

  await page.goto(`${product.url}/users?tab=roles`)
  const opener = button(page, 'New role')
  await pressOn(page, opener)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Keyboard')
  await typeInto(page, dialog.getByLabel('Code', { exact: true }), 'keyboard')
  await pressOn(page, dialog.getByRole('combobox', { name: 'Sources' }), 'ArrowDown')
  await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: /^Remove / })).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(dialog, 'Esc closed the list alone').toBeVisible()
  await pressOn(page, dialog.getByRole('button', { name: 'Save' }))
  await expect(opener).toBeFocused()
  const { items } = await api.call<{ items: { sources: unknown[] }[] }>(
    'GET',
    '/api/admin/roles/?search=Keyboard',
  )
  expect(items[0]?.sources).toHaveLength(2)
})

test('chips, search and period of the parcels work by keyboard: presets, typed days and the calendar', async ({
  page,
  api,
}) => {
  await openSignedIn(page, api, '/parcels')
  await expect(rows(page)).not.toHaveCount(0)
  await pressOn(page, page.getByRole('group', { name: 'Статус' }).getByRole('button').nth(1), ' ')
  await expect(page).toHaveURL(/status=/)
  await typeInto(page, page.getByRole('searchbox'), 'no such order')
  await expect(page.getByText('Посылки не найдены по вашим критериям.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('searchbox')).toHaveValue('')
  const period = page.getByRole('button', { name: /^Период/ })
  const dialog = page.getByRole('dialog', { name: 'Период' })
  await pressOn(page, period)
  await expect(dialog.getByLabel('Дата с')).toBeFocused()
  await tabTo(page, dialog.getByRole('button', { name: 'Последние 7 дней' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(period).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Дата с')).toBeFocused()
  await typeInto(page, dialog.getByLabel('Дата с'), '05.11.2026')
  await typeInto(page, dialog.getByLabel('Дата по'), '20.11.2026')
  await page.keyboard.press('Enter')
  await expect(period).toHaveText('05.11.2026 – 20.11.2026')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Дата с')).toBeFocused()
  await tabTo(page, dialog.getByRole('button', { name: /^5 ноябр/i }))
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('button', { name: /^6 ноябр/i })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(period).toHaveText('06.11.2026 – 13.11.2026')
  await expect(period).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Дата с')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(period).toBeFocused()
})

test('the parcel detail returns the focus to its row, and upload and import open and close by keyboard', async ({
  page,
  api,
}) => {
  await openSignedIn(page, api, '/parcels')
  await expect(rows(page)).not.toHaveCount(0)
  await pressOn(page, row(page), 'ArrowDown')
  await page.keyboard.press('Enter')
  const close = button(page, 'Закрыть')
  await pressOn(page, close)
  await expect(close).toHaveCount(0)
  await expect(rows(page).nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, close)
  await page.keyboard.press('Escape')
  await expect(close).toHaveCount(0)
  await expect(rows(page).nth(1)).toBeFocused()

  const upload = button(page, 'Загрузка заказов')
  await pressOn(page, upload)
  await expect(page.locator('input[type=file]')).toBeFocused()
  await pressOn(page, button(page, 'Отмена'))
  await expect(page.locator('input[type=file]')).toHaveCount(0)
  await expect(upload).toBeFocused()
  const opener = button(page, 'Импорт')
  await pressOn(page, opener)
  const dialog = page.getByRole('dialog', { name: 'Импорт' })
  await tabTo(page, dialog.locator('input[type=file]'))
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('statistics tabs, source filter, finder, theme, own name and sign-out work by keyboard', async ({
  page,
  product,
}) => {
  await signInByKeyboard(page, product)
  await page.goto(`${product.url}/statistics`)
  await pressOn(page, page.getByRole('tab', { name: 'Daily' }), 'ArrowRight')
  await expect(page).toHaveURL(/tab=offers/)
  await expect(page.getByRole('tab', { name: 'Offers' })).toBeFocused()
  await pressOn(page, page.getByRole('main').getByRole('combobox', { name: 'Source' }), 'ArrowDown')
  await expect(page.getByRole('listbox').getByRole('option').nth(1)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/source_id=\d/)

  await page.keyboard.press('Control+k')
  const finder = page.getByRole('dialog').getByRole('combobox')
  await expect(finder).toBeFocused()
  await page.keyboard.type('profile')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/profile$/)
  const theme = page.locator('html')
  const before = (await theme.getAttribute('data-theme')) ?? ''
  await pressOn(page, page.getByRole('button', { name: /^Switch to / }), ' ')
  await expect(theme).not.toHaveAttribute('data-theme', before)

  const me = page.getByRole('button', { name: /profile and sign out/ })
  await pressOn(page, me)
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeFocused()
  await page.keyboard.press('Enter')
  await typeInto(page, page.getByRole('main').getByLabel('Name', { exact: true }), 'Keyed Admin')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Profile saved successfully.')).toBeVisible()
  await expect(me).toContainText('Keyed Admin')
  await pressOn(page, me)
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/login/)
})

for (const [width, place] of [
  [360, 'below'],
  [1024, 'right of'],
  [1440, 'right of'],
] as const)
  test(`at ${width} px the link to Explore is ${place} the tabs of the statistics, and Tab reaches it after them`, async ({
    page,
    api,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await openSignedIn(page, api, '/statistics')
    const [tab, link] = [
      page.getByRole('tab', { selected: true }),
      page.getByRole('link', { name: /^Explore / }),
    ]
    await expect(link).toBeVisible()
    const [tabsBox, linkBox] = [await page.getByRole('tablist').boundingBox(), await link.boundingBox()]
    if (tabsBox === null || linkBox === null) throw new Error('The tabs or the link are not drawn')
    const lastTabBox = await page.getByRole('tab').last().boundingBox()
    const tabsBottom = tabsBox.y + tabsBox.height
    if (place === 'below') expect(linkBox.y).toBeGreaterThanOrEqual(tabsBottom)
    else {
      expect(linkBox.y).toBeGreaterThanOrEqual(tabsBox.y)
      expect(linkBox.y + linkBox.height).toBeLessThanOrEqual(tabsBottom)
      expect(linkBox.x).toBeGreaterThan((lastTabBox?.x ?? 0) + (lastTabBox?.width ?? 0))
    }
    await tabTo(page, tab)
    await page.keyboard.press('Tab')
    await expect(link).toBeFocused()
  })

for (const [path, width] of [
  ['/parcels', 360],
  ['/statistics', 360],
  ['/statistics', 1440],
  ['/explore', 1440],
] as const)
  test(`each focused element of ${path} is visible at ${width} px, forwards and backwards`, async ({
    page,
    api,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    await openSignedIn(page, api, path)
    await page.waitForLoadState('networkidle')
    for (const key of ['Tab', 'Shift+Tab'] as const) {
      const { stops, hidden } = await listHiddenFocus(page, key)
      expect(stops).toBeGreaterThan(25)
      expect(hidden, key).toEqual([])
    }
  })
