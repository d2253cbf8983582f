import { variants } from '../src/extent.ts'
import type { Page } from '@playwright/test'
import { expect, test } from '../src/bare.ts'
import { findForeignTexts, presetLanguage, collectData, type Language } from '../src/languages.ts'
import { expectAccessibleLayout } from '../src/test.ts'

const guest = ['/login', '/forgot-password']
const screens = [
  '/parcels?period=any',
  '/statistics',
  '/users?tab=source-credentials',
  '/settings/cpa-websites',
  '/profile',
]
/** The texts of the signed-in user. */
const session = ['Admin', 'admin']
const words = {
  ru: {
    submit: 'Войти',
    save: 'Сохранить',
    create: 'Создать пользователя',
    required: 'Заполните поле «Имя»',
  },
  uz: {
    submit: 'Kirish',
    save: 'Saqlash',
    create: 'Yangi foydalanuvchi',
    required: '“Ism” maydonini to‘ldiring',
  },
  en: { submit: 'Sign in', save: 'Save', create: 'New user', required: 'Name is required' },
}
const allLanguages: readonly Language[] = ['ru', 'uz', 'en']

/** Waits for the page and its first rows. */
async function waitUntilDrawn(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.locator('[aria-busy=true]:is(table, [role=table])')).toHaveCount(0)
}

test.describe('A chosen language', () => {
  test.use({ features: ['profile', 'sessions', 'exports', 'report_rates'] })
  test.setTimeout(300_000)
  for (const language of allLanguages) {
    test(`${language}: every screen, form and message is in this language`, async ({ page, open }) => {
      const data = collectData(page)
      const expectNoForeignTexts = async (where: string) => {
        await expect(async () => {
          const knownTexts = [...(await data()), ...session]
          expect(await findForeignTexts(page, language, knownTexts), where).toEqual([])
        }).toPass({ timeout: 30_000 })
      }
      await presetLanguage(page, language)
      for (const path of guest) {
        await open(path)
        await waitUntilDrawn(page)
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        await expectNoForeignTexts(path)
      }
      for (const path of screens) {
        await open(path, 'admin')
        await waitUntilDrawn(page)
        await expectNoForeignTexts(path)
      }

      await open('/users', 'admin')
      await page.getByRole('button', { name: words[language].create }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: words[language].save, exact: true }).click()
      await expect(dialog.getByText(words[language].required, { exact: true })).toBeVisible()
      await expectNoForeignTexts('a form with its faults')
    })
  }
})

test('the language chosen in the profile menu stays after a reload and a sign-out', async ({
  page,
  open,
}) => {
  await open('/users', 'admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  const choices = page.getByRole('group', { name: 'Language' }).getByRole('menuitemradio')
  await expect(choices).toHaveText(['Русский + English', 'Русский', 'O‘zbekcha', 'English'])
  await expect(choices.first()).toBeChecked()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(choices.nth(2)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Foydalanuvchilar' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/users')

  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Foydalanuvchilar' })).toBeVisible()
  await page.getByRole('button', { name: /profil va chiqish/ }).click()
  await expect(page.getByRole('menuitemradio', { name: 'O‘zbekcha' })).toBeChecked()
  await page.getByRole('menuitem', { name: 'Chiqish' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Kirish' })).toBeVisible()
})

test('the sign-in screen changes the language, and back to the specified mix', async ({ page, open }) => {
  await open('/login')
  await expect(page.getByRole('button', { name: 'Войти' })).toBeVisible()
  await page.getByLabel('Язык').selectOption('English')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.getByLabel('Language').selectOption('Русский + English')
  await expect(page.getByRole('button', { name: 'Войти' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Forgot Password' })).toBeVisible()
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('language'))),
  ).toEqual([])
})

test('a page in a chosen language never shows the specified mix first', async ({ page, open }) => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.body?.textContent?.includes('Войти')) document.documentElement.dataset['flashed'] = 'yes'
    }).observe(document, { childList: true, subtree: true })
  })
  await presetLanguage(page, 'en')
  await open('/login')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-flashed')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-flashed')
})

test('numbers, days and the calendar are in the chosen language', async ({ page, open }) => {
  await presetLanguage(page, 'en')
  await open('/components-demo', 'admin')
  const price = page.getByLabel('Price').first()
  await expect(price).toHaveValue('1,290,000.5')
  await price.focus()
  await price.fill('1,234.5')
  await price.blur()
  await expect(price).toHaveValue('1,234.5')
  await page.getByRole('button', { name: /^Period with bounds/ }).click()
  await expect(page.getByLabel('From date')).toHaveValue('03/11/2026')
  await expect(page.getByRole('grid', { name: 'November 2026' })).toBeVisible()
})

test('the longer Uzbek texts fit a phone, and axe finds no fault', variants, async ({ page, open }) => {
  test.setTimeout(300_000)
  await presetLanguage(page, 'uz')
  await open('/login')
  await waitUntilDrawn(page)
  await expectAccessibleLayout(page, '/login', [
    [360, 'light'],
    [1440, 'dark'],
  ])
  await open('/parcels?period=any', 'admin')
  await waitUntilDrawn(page)
  await page.getByRole('button', { name: /profil va chiqish/ }).click()
  await expectAccessibleLayout(page, '/parcels with its menu', [
    [360, 'light'],
    [1440, 'dark'],
  ])
})
