import { variants } from '../src/extent.ts'
import { Api } from '../src/api.ts'
import { openSignedIn, pressOn } from '../src/keyboard.ts'
import { expect, expectAccessibleLayout, test } from '../src/test.ts'

test.use({ expectedStatus: [401] })

test(
  'an admin sees all sessions and ends one, then all of a person, then their own',
  variants,
  async ({ page, api, product }) => {
    const { password } = await api.newPerson('watched')
    const signedIn = await Promise.all([1, 2, 3].map(() => Api.signIn(api.url, 'watched', password)))
    const readValidity = () =>
      Promise.all(
        signedIn.map(async ({ session }) => {
          const headers = { authorization: `Bearer ${session.access_token}` }
          return (await fetch(`${api.url}/parcel/auth/me`, { headers })).ok
        }),
      )
    const admin = await Api.signIn(api.url, product.admin.username, product.admin.password)

    await openSignedIn(page, admin, '/sessions')
    const rows = page.locator('tr[data-key]')
    await expect(rows.filter({ has: page.getByText('This session', { exact: true }) })).toHaveCount(1)
    await expect(rows.filter({ hasText: 'watched' })).toHaveCount(3)
    await expectAccessibleLayout(page, 'sessions', [
      [360, 'dark'],
      [1440, 'light'],
    ])
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('watched')
    await expect(rows).toHaveCount(3)
    await pressOn(page, rows.first().getByRole('button', { name: 'End this session of watched' }))
    const endDialog = page.getByRole('alertdialog', { name: 'End this session of watched?' })
    await expect(endDialog).toContainText('The person has to sign in again.')
    await page.keyboard.press('Escape')
    await expect(endDialog).toHaveCount(0)
    expect(await readValidity()).toEqual([true, true, true])
    await page.keyboard.press('Enter')
    await pressOn(page, endDialog.getByRole('button', { name: 'End', exact: true }))
    await expect(rows).toHaveCount(2)
    expect((await readValidity()).filter(Boolean)).toHaveLength(2)

    await pressOn(page, rows.first().getByRole('button', { name: 'End all sessions of watched' }))
    const endAllDialog = page.getByRole('alertdialog', { name: 'End all sessions of watched?' })
    await pressOn(page, endAllDialog.getByRole('button', { name: 'End all' }))
    await expect(page.getByText('Sessions ended: 2')).toBeVisible()
    await expect(page.getByText('No data found.')).toBeVisible()
    expect(await readValidity()).toEqual([false, false, false])

    await page.getByRole('searchbox').fill('')
    const ownRow = rows.filter({ has: page.getByText('This session', { exact: true }) })
    await pressOn(page, ownRow.getByRole('button', { name: 'End this session of admin' }))
    await expect(page.getByRole('alertdialog')).toContainText('It is your own')
    await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'End', exact: true }))
    await expect(page).toHaveURL(/\/login$/)
    expect(await api.call('GET', '/parcel/auth/me')).toMatchObject({ username: product.admin.username })
  },
)
