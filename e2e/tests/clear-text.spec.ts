import { variants } from '../src/extent.ts'
import { expect, openSigned, test } from '../src/keyboard.ts'
import { expectSound } from '../src/test.ts'

test(
  'an address that is not encrypted is named beside its field, and taken all the same',
  variants,
  async ({ page, api }) => {
    await openSigned(page, api, '/settings/courier')
    await page.getByRole('button', { name: 'New courier account' }).click()
    const form = page.getByRole('dialog', { name: 'New courier account' })
    const url = form.getByLabel('URL', { exact: true })
    const warning = form.getByText('Not encrypted: whoever is on the way reads what is sent to http.')
    await url.fill('http://courier.example/api/')
    await expect(warning).toBeVisible()
    await expect(url).toHaveAccessibleDescription(/^Not encrypted/)
    await expectSound(page, 'a form with a warning', [
      [360, 'dark'],
      [1440, 'light'],
    ])
    await url.fill('http://127.0.0.1:9000/')
    await expect(warning).toHaveCount(0)
    await url.fill('https://courier.example/api/')
    await expect(warning).toHaveCount(0)
  },
)
