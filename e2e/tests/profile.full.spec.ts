import { variants } from '../src/extent.ts'
import { Api } from '../src/api.ts'
import { mockAnswer, test as bareTest } from '../src/bare.ts'
import { confirmByPassword, openSignedIn, pressOn, typeInto } from '../src/keyboard.ts'
import { expect, expectAccessibleLayout, test } from '../src/test.ts'

const appearances = [
  [360, 'dark'],
  [1440, 'light'],
] as const

test.use({ expectedStatus: [401, 422] })

bareTest.describe('A host with Telegram', () => {
  bareTest.use({ features: ['profile', 'telegram'], expectedText: ['net::ERR_', 'Failed to load resource'] })

  bareTest(
    'a choice of notices that fails without a connection is undone',
    async ({ page, context, open }) => {
      const kinds = { problems: true, delivered: true, money: true, alerts: true, digest: false }
      await mockAnswer(page, '/parcel/auth/telegram/', {
        body: {
          linked: true,
          muted: false,
          muted_until: null,
          bot: null,
          code: null,
          code_until: null,
          ...kinds,
        },
      })
      await open('/profile', 'admin')
      const choice = page.getByRole('checkbox', { name: 'A parcel of mine was delivered' })
      await expect(choice).toBeChecked()
      await page.unrouteAll()
      await context.setOffline(true)
      await choice.click()
      await expect(page.getByRole('alertdialog')).toContainText('The server cannot be reached.')
      await page.keyboard.press('Escape')
      await expect(choice).toBeChecked()
    },
  )
})

test(
  'the profile asks for the password before it changes the email or ends other sessions',
  variants,
  async ({ page, api }) => {
    const { password } = await api.newPerson('proving')
    const thisSession = await Api.signIn(api.url, 'proving', password)
    const otherSession = await Api.signIn(api.url, 'proving', password)
    await openSignedIn(page, thisSession, '/profile')
    const ownDetails = page.getByRole('region', { name: 'Own details' })
    const save = ownDetails.getByRole('button', { name: 'Save' })

    await typeInto(page, ownDetails.getByLabel('Name'), 'Careful Person')
    await pressOn(page, save)
    await expect(page.getByText('Profile saved successfully.')).toBeVisible()
    await expect(save).toBeFocused()

    await typeInto(page, ownDetails.getByLabel('Email'), 'elsewhere@example.uz')
    await pressOn(page, save)
    await expect(ownDetails).toContainText('Enter the current password below to change the email')
    await typeInto(page, ownDetails.getByLabel('Current password'), 'not the password')
    await pressOn(page, save)
    await expect(ownDetails).toContainText('The current password is not right.')
    await expectAccessibleLayout(page, 'a refused email', appearances)
    await typeInto(page, ownDetails.getByLabel('Current password'), password)
    await pressOn(page, save)
    await expect(ownDetails.getByLabel('Current password')).toHaveValue('')
    expect(await thisSession.call('GET', '/parcel/auth/profile')).toMatchObject({
      email: 'elsewhere@example.uz',
    })

    const sessions = page.getByRole('region', { name: 'Signed-in sessions' })
    await pressOn(page, sessions.getByRole('button', { name: /^End/ }))
    await expectAccessibleLayout(page, 'the password dialog', appearances)
    await confirmByPassword(page, 'End this session', password, 'End')
    await expect(sessions.getByRole('button', { name: /^End/ })).toHaveCount(0)
    await expect(sessions.getByRole('button', { name: 'Sign out everywhere' })).toBeFocused()
    await expect(otherSession.call('GET', '/parcel/auth/me')).rejects.toThrow('401')

    await pressOn(page, sessions.getByRole('button', { name: 'Sign out everywhere' }))
    await typeInto(page, page.getByRole('dialog').getByLabel('Current password'), password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/login$/)
    await expect(thisSession.call('GET', '/parcel/auth/me')).rejects.toThrow('401')
  },
)
