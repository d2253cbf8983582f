import type { Page } from '@playwright/test'
import { selectAlternately, selectThemes, variants } from '../src/extent.ts'
import { expect, openSignedIn, test } from '../src/keyboard.ts'
import { expectAccessible } from '../src/test.ts'

interface State {
  name: string
  path: string
  /** Brings the page into the state. */
  enter: (page: Page) => Promise<unknown>
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()
const firstRow = (page: Page) => page.locator('tr[data-key]').first().getByRole('cell').nth(1).click()

/** Elements that open without a click, page by page. */
const states: State[] = [
  {
    name: 'a form with its errors',
    path: '/offers',
    async enter(page) {
      await press(page, 'New offer')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Name is required', { exact: true })).toBeVisible()
    },
  },
  {
    name: 'a select of a form',
    path: '/offers',
    async enter(page) {
      await press(page, 'New offer')
      await page.getByRole('dialog').getByRole('combobox', { name: 'Status', exact: true }).click()
      await expect(page.getByRole('listbox')).toBeVisible()
    },
  },
  {
    name: 'the question before a deletion',
    path: '/offers',
    async enter(page) {
      await firstRow(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
    },
  },
  {
    name: 'a multiselect',
    path: '/users?tab=roles',
    async enter(page) {
      await press(page, 'New role')
      await page.getByRole('dialog').getByRole('combobox', { name: 'Sources' }).click()
      await page.getByRole('listbox').getByRole('option').first().click()
      await expect(page.getByRole('button', { name: /^Remove / })).toBeVisible()
    },
  },
  {
    name: 'the period of the parcels',
    path: '/parcels',
    async enter(page) {
      await press(page, /^Период/)
      await expect(page.getByRole('button', { name: 'Сегодня' })).toBeVisible()
    },
  },
  {
    name: 'the period of the statistics',
    path: '/statistics',
    async enter(page) {
      await press(page, /^Период/)
      await expect(page.getByRole('button', { name: 'Сегодня' })).toBeVisible()
    },
  },
  {
    name: 'the import',
    path: '/parcels',
    async enter(page) {
      await press(page, 'Импорт')
      await page.getByRole('dialog').getByRole('button', { name: 'Импортировать' }).click()
      await expect(page.getByRole('dialog').getByText('Заполните поле').first()).toBeVisible()
    },
  },
  {
    name: 'the import with skipped rows',
    path: '/parcels',
    async enter(page) {
      await press(page, 'Импорт')
      const dialog = page.getByRole('dialog')
      await dialog.locator('input[type=file]').setInputFiles({
        name: 'История.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('orderno,date,weight\nA-1,2026-11-20,heavy\nA-2,2026-11-20,1.2345'),
      })
      await dialog.getByRole('button', { name: 'Импортировать' }).click()
      await expect(dialog.getByRole('button', { name: 'Сохранить csv' })).toBeVisible()
    },
  },
  {
    name: 'the formats of an export',
    path: '/offers',
    async enter(page) {
      await press(page, 'Export')
      await expect(page.getByRole('menuitem', { name: 'Excel' })).toBeVisible()
    },
  },
  {
    name: 'an export under way',
    path: '/offers',
    async enter(page) {
      // The call is never answered and ends with the page.
      await page.route(
        (url) => url.searchParams.has('format'),
        () => undefined,
      )
      await press(page, 'Export')
      await page.getByRole('menuitem', { name: 'CSV' }).click()
      await expect(page.getByRole('progressbar')).toBeVisible()
    },
  },
  {
    name: 'the upload panel and a toast',
    path: '/parcels',
    async enter(page) {
      await press(page, 'Загрузка заказов')
      await press(page, 'Загрузить')
      await expect(page.getByText('Файл не выбран')).toBeVisible()
      await page.getByRole('region', { name: 'Notifications' }).getByRole('button').focus()
    },
  },
  {
    name: 'the detail of a parcel',
    path: '/parcels',
    async enter(page) {
      await firstRow(page)
      await expect(page.getByRole('list', { name: 'История статусов' })).toBeVisible()
    },
  },
  {
    name: 'the profile menu',
    path: '/profile',
    async enter(page) {
      await page.getByRole('button', { name: /profile and sign out/ }).click()
      await expect(page.getByRole('menuitem').first()).toBeVisible()
    },
  },
  {
    name: 'the finder',
    path: '/offers',
    async enter(page) {
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'an alert',
    path: '/components-demo',
    async enter(page) {
      await press(page, 'Alert')
      await expect(page.getByRole('alertdialog')).toBeVisible()
    },
  },
  {
    name: 'every widget, and both toasts',
    path: '/components-demo',
    async enter(page) {
      await press(page, 'Success toast')
      await press(page, 'Danger toast')
      await expect(page.getByText('Ошибка при загрузке файла')).toBeVisible()
    },
  },
]

/** Only phones have it. */
const menuState: State = {
  name: 'the menu over a page',
  path: '/statistics?tab=offers',
  async enter(page) {
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeInViewport()
  },
}

test.setTimeout(300_000)

for (const [index, width] of [360, 1440].entries()) {
  test(`dialogs, menus and pickers are accessible at ${width} px`, variants, async ({ page, api }) => {
    await page.setViewportSize({ width, height: 900 })
    const statesOfWidth = [...selectAlternately(states, index), ...(width <= 768 ? [menuState] : [])]
    for (const { name, path, enter } of statesOfWidth) {
      await page.emulateMedia({ colorScheme: 'light' })
      await openSignedIn(page, api, path)
      await expect(page.getByRole('main')).toBeVisible()
      await expect(page.locator('table[aria-busy=true]')).toHaveCount(0)
      await enter(page)
      for (const colorScheme of selectThemes(width)) {
        // The theme follows the system while no choice is saved, and what is open stays open.
        await page.emulateMedia({ colorScheme })
        await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
        await expectAccessible(page, `${name}, ${colorScheme}, ${width} px`)
      }
    }
  })
}

test('parcels, offers and statistics are accessible on both sides of the breakpoint', async ({
  page,
  api,
}) => {
  for (const path of ['/parcels', '/offers', '/statistics']) {
    await openSignedIn(page, api, path)
    for (const width of [768, 769]) {
      await page.setViewportSize({ width, height: 900 })
      await expect(page.locator('table[aria-busy=true]')).toHaveCount(0)
      await expectAccessible(page, `${path}, ${width} px`)
    }
  }
})
