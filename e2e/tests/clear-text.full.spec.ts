import { variants } from '../src/extent.ts'
import { expect, openSignedIn, test } from '../src/keyboard.ts'
import { expectAccessibleLayout } from '../src/test.ts'

test(
  'an unencrypted address in a form shows a warning beside its field and is accepted',
  variants,
  async ({ page, api }) => {
    await openSignedIn(page, api, '/settings/courier')
    await page.getByRole('button', { name: 'New courier account' }).click()
    const form = page.getByRole('dialog', { name: 'New courier account' })
    const url = form.getByLabel('URL', { exact: true })
    const warning = form.getByText('Not encrypted: others on the network can read what is sent over http.')
    await url.fill('http://courier.example/api/')
    await expect(warning).toBeVisible()
    await expect(url).toHaveAccessibleDescription(/^Not encrypted/)
    await expectAccessibleLayout(page, 'a form with a warning', [
      [360, 'dark'],
      [1440, 'light'],
    ])
    await url.fill('http://127.0.0.1:9000/')
    await expect(warning).toHaveCount(0)
    await url.fill('https://courier.example/api/')
    await expect(warning).toHaveCount(0)
  },
)
