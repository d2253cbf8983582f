import type { Page } from '@playwright/test'
import { expect, test } from '../src/bare.ts'
import { selectThemes, variants } from '../src/extent.ts'
import { expectAccessible, expectNoHorizontalScroll, reflowWidth } from '../src/test.ts'

// The bare host announces every feature that it can answer.
test.use({ features: ['profile', 'sessions', 'exports', 'imports', 'report_rates'] })

const guest = ['/login', '/register', '/forgot-password']
const lists = [
  '/users',
  '/users?tab=roles',
  '/users?tab=roles&view=access',
  '/users?tab=source-credentials',
  '/settings/cpa-websites',
  '/settings/cpa-websites?tab=credentials',
  '/settings/statuses',
  '/settings/statuses?tab=statuses',
  '/settings/statuses?tab=source-statuses',
  '/offers',
  '/streams',
]
const otherPaths = [
  '/parcels?period=any',
  '/statistics',
  '/statistics?tab=offers',
  '/statistics?tab=streams',
  '/profile',
  '/components-demo',
]
const widths = [reflowWidth, 360, 768, 769, 1440]

/** axe checks the designs for phones and for desktops. Between them only the widths change. */
const axeWidths = [360, 1440]

/** Checks the page at the width in the themes of this run. */
async function expectAccessibleInThemes(page: Page, where: string, width: number) {
  for (const colorScheme of selectThemes(width)) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await expectAccessible(page, `${where}, ${colorScheme}, ${width} px`)
  }
}

async function expectSoundAtAllWidths(page: Page, where: string) {
  await expect(page.getByRole('main')).toBeVisible()
  // The code of the page may still be loading, and there is no table yet.
  await page.waitForLoadState('networkidle')
  await expect(
    page.getByRole('table', { includeHidden: true }).and(page.locator('[aria-busy=true]')),
  ).toHaveCount(0)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoHorizontalScroll(page, `${where}, ${width} px`)
    if (axeWidths.includes(width)) await expectAccessibleInThemes(page, where, width)
  }
}

test.describe('the screens', variants, () => {
  test.setTimeout(300_000)

  test('the guest screens fit every width, and axe finds no fault', async ({ page, open }) => {
    for (const path of guest) {
      await open(path)
      await expectSoundAtAllWidths(page, path)
    }
  })

  test('the lists fit every width, and axe finds no fault', async ({ page, open }) => {
    for (const path of lists) {
      await open(path, 'admin')
      await expectSoundAtAllWidths(page, path)
    }
  })

  test('parcels, statistics, profile and components fit every width, and axe finds no fault', async ({
    page,
    open,
  }) => {
    for (const path of otherPaths) {
      await open(path, 'admin')
      await expectSoundAtAllWidths(page, path)
    }
  })

  test('every form, an open date picker and the profile menu fit every width, and axe finds no fault', async ({
    page,
    open,
  }) => {
    for (const path of lists) {
      await open(path, 'admin')
      await page.getByRole('button', { name: /^New / }).click()
      const dialog = page.getByRole('dialog')
      for (const width of axeWidths) {
        await page.setViewportSize({ width, height: 900 })
        await expect(dialog).toBeVisible()
        await expectAccessibleInThemes(page, `${path}, form`, width)
        await expectNoHorizontalScroll(page, `${path}, form, ${width} px`)
      }
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
    await open('/offers', 'admin')
    for (const width of axeWidths) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole('combobox', { name: 'Filter by source' }).click()
      await expect(page.getByRole('listbox')).toBeVisible()
      await expectAccessibleInThemes(page, 'select', width)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /profile and sign out/ }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await expectAccessibleInThemes(page, 'menu', width)
      await page.keyboard.press('Escape')
    }
    await open('/parcels')
    for (const width of axeWidths) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole('button', { name: /^Период/ }).click()
      await expect(page.getByRole('button', { name: 'Сегодня' })).toBeVisible()
      await expectAccessibleInThemes(page, 'period', width)
      await expectNoHorizontalScroll(page, `period, ${width} px`)
      await page.keyboard.press('Escape')
    }
  })
})
