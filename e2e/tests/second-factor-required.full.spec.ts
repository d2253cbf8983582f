import { variants } from '../src/extent.ts'
import { Authenticator } from '../src/authenticator.ts'
import { startTestProduct } from '../src/product.ts'
import { openSignedIn, pressOn, typeInto } from '../src/keyboard.ts'
import { presetLanguage } from '../src/languages.ts'
import { expect, expectAccessibleLayout, test as base } from '../src/test.ts'

const test = base.extend({
  product: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const product = await startTestProduct({ KARVON_REQUIRE_SECOND_FACTOR: 'admins' })
      await use(product)
      await product.stopAndRemove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})
test.use({ expectedStatus: [403] })

const english =
  'Administrators need a second factor here. Press Set up and follow the steps: until then nothing else opens.'
const sentences = {
  ru: 'Администраторам здесь нужен второй фактор. Нажмите «Настроить» и выполните шаги: до этого больше ничего не откроется.',
  uz: 'Bu yerda administratorlarga ikkinchi omil kerak. «Sozlash» tugmasini bosing va qadamlarni bajaring: ungacha boshqa hech narsa ochilmaydi.',
} as const

test('an admin without the required second factor reads what to do in their language', async ({
  api,
  context,
}) => {
  for (const language of ['ru', 'uz'] as const) {
    const page = await context.newPage()
    await presetLanguage(page, language)
    await openSignedIn(page, api, '/users')
    await page.waitForURL('**/profile')
    await expect(page.getByRole('main')).toContainText(sentences[language])
    await page.close()
  }
})

test(
  'an admin without the required second factor is led to the profile, sets it up, and continues',
  variants,
  async ({ page, product }) => {
    const { username, password } = product.admin
    await page.goto(`${product.url}/login`)
    await typeInto(page, page.getByLabel('Имя пользователя'), username)
    await typeInto(page, page.getByLabel('Пароль', { exact: true }), password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/profile')
    const card = page.getByRole('region', { name: 'Second factor' })
    await expect(card).toContainText(english)
    await expect(page.getByRole('main').getByRole('region')).toHaveCount(1)
    await expectAccessibleLayout(page, 'a second factor that is required', [
      [360, 'light'],
      [1440, 'dark'],
      [360, 'dark'],
      [1440, 'light'],
    ])
    await page.goto(`${product.url}/users`)
    await page.waitForURL('**/profile')
    await expect(card).toContainText(english)

    await pressOn(page, card.getByRole('button', { name: 'Set up' }))
    const dialog = page.getByRole('dialog', { name: 'Second factor' })
    await typeInto(page, dialog.getByLabel('Current password'), password)
    await page.keyboard.press('Enter')
    const phone = new Authenticator(await dialog.locator('code').innerText())
    await typeInto(page, dialog.getByLabel('Code of the app'), phone.next())
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
    await pressOn(page, dialog.getByRole('button', { name: 'Done' }))
    await expect(card.getByRole('status')).toHaveText('On')
    await expect(card.getByRole('button', { name: 'New recovery codes' })).toBeVisible()
    await expect(card.getByRole('button', { name: 'Turn off' })).toHaveCount(0)
    await expect(card).not.toContainText(english)
    await expect(page.getByRole('region', { name: 'Own details' })).toBeVisible()
    await page.goto(`${product.url}/users`)
    await expect(page.locator('tr[data-key]').first()).toBeVisible()
  },
)
