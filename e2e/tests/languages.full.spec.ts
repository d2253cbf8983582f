import { expect, test } from '../src/bare.ts'
import {
  collectData,
  findForeignTexts,
  presetLanguage,
  waitUntilDrawn,
  type Language,
} from '../src/languages.ts'

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
