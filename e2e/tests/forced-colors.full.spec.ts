import type { Locator, Page } from '@playwright/test'
import { openSignedIn } from '../src/keyboard.ts'
import { expect, test } from '../src/test.ts'

const readBackground = (element: Locator) => element.evaluate((box) => getComputedStyle(box).backgroundColor)

/** Expects that an element is filled, and another of its kind is not. */
async function expectDistinct(chosen: Locator, other: Locator): Promise<void> {
  await expect(chosen).toBeVisible()
  expect(await readBackground(chosen)).not.toBe(await readBackground(other))
}

const findPages = (page: Page) => page.getByRole('navigation').getByRole('link')

test('a chosen value, tab, page and option are distinct in forced colours', async ({ page, api }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openSignedIn(page, api, '/parcels')
  await expectDistinct(
    page.locator('button[aria-pressed=true]'),
    page.locator('button[aria-pressed=false]').first(),
  )
  await expectDistinct(
    findPages(page).and(page.locator('[aria-current]')).first(),
    findPages(page).and(page.locator(':not([aria-current])')).last(),
  )
  await page.keyboard.press('Control+k')
  const finder = page.getByRole('dialog')
  await finder.getByRole('combobox').fill('e')
  await expectDistinct(
    finder.getByRole('option', { selected: true }),
    finder.getByRole('option', { selected: false }).first(),
  )
  await page.goto(`${api.url}/statistics?tab=offers`)
  await expectDistinct(
    page.getByRole('tab', { selected: true }),
    page.getByRole('tab', { selected: false }).first(),
  )
  await page.locator('input[role=combobox]').first().click()
  await page.keyboard.press('ArrowDown')
  const active = page.locator('[role=option][data-active]')
  await expect(active).toBeVisible()
  expect(await readBackground(active)).not.toBe(await readBackground(page.getByRole('listbox')))
})
