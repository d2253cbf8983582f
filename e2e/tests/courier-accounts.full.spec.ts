import { variants } from '../src/extent.ts'
import type { Page } from '@playwright/test'
import type { CourierParcel } from '@karvon/testkit/fakes/measoft.xml.ts'
import type { Api } from '../src/api.ts'
import { openSignedIn, pressOn, tabTo } from '../src/keyboard.ts'
import { courierLogin, test } from '../src/fakes.ts'
import { expect, expectAccessible, expectAccessibleLayout } from '../src/test.ts'

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const healthOf = (page: Page, text: string) => rowOf(page, text).getByRole('cell').last()

const readUserId = async (api: Api) => (await api.call<{ id: number }>('GET', '/parcel/auth/me')).id

/** A new order with a status of this day. */
const createOrder = (orderno: string, day: string): CourierParcel => ({
  orderno,
  person: 'Ойгул',
  phone: '+998901234567',
  town: 'Самарқанд',
  address: 'Регистон 1',
  weight: '1',
  price: '1',
  statuses: [{ code: 'NEW', title: 'Новый', eventtime: `${day} 08:00:00` }],
})

test('a courier account is synced on demand like a network', async ({ page, api, fakes }) => {
  fakes.courier.publish(createOrder('C-1', '2026-11-20'))
  const account = { name: 'Wrong courier', url: fakes.courier.url, ...courierLogin }
  await api.call('POST', '/api/admin/courier-accounts/', {
    ...account,
    pass: 'no',
    user_id: await readUserId(api),
  })
  await openSignedIn(page, api, '/settings/courier')
  const health = healthOf(page, 'Wrong courier')
  await health.getByRole('button', { name: 'Run now' }).click()
  await expect(health).toContainText('Неверный логин или пароль', { timeout: 30_000 })
  await rowOf(page, 'Wrong courier').getByRole('cell').first().click()
  const form = page.getByRole('dialog', { name: 'Edit courier account' })
  await form.getByLabel('Password', { exact: true }).fill(courierLogin.pass)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toHaveCount(0)
  await health.getByRole('button', { name: 'Run now' }).click()
  await expect(health).toContainText('OK', { timeout: 30_000 })
  await expect(health).toContainText('1 row')
  await expectAccessible(page, 'courier accounts')
  await page.goto(`${api.url}/parcels?period=any`)
  await expect(rowOf(page, 'C-1')).toContainText('Новый')
})

test(
  'an admin requests the orders of some days again, and sees which of them are not fetched yet',
  variants,
  async ({ page, api, fakes }) => {
    const threeDaysAgo = new Date(Date.now() - 3 * 24 * 3_600_000).toISOString().slice(0, 10)
    // The courier does not report this order as changed.
    fakes.courier.parcels.set('C-LOST', { ...createOrder('C-LOST', threeDaysAgo), day: threeDaysAgo })
    const account = { name: 'Restored courier', url: fakes.courier.url, ...courierLogin }
    await api.call('POST', '/api/admin/courier-accounts/', { ...account, user_id: await readUserId(api) })
    await openSignedIn(page, api, '/settings/courier')
    const health = healthOf(page, 'Restored courier')
    await pressOn(page, health.getByRole('button', { name: 'Runs Restored courier' }))
    const runs = page.getByRole('dialog', { name: 'Runs of Restored courier' })
    await pressOn(page, runs.getByRole('button', { name: /^Days on which the orders were created: / }))
    // The first day has the focus. The presets are before it.
    await expect(page.getByRole('textbox', { name: 'Дата с', exact: true })).toBeFocused()
    const lastWeek = page.getByRole('button', { name: 'Последние 7 дней' })
    await tabTo(page, lastWeek, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await pressOn(page, runs.getByRole('button', { name: 'Fetch orders again' }))
    const remainingDays = runs.getByText(/^The orders created on .+ – .+ will be fetched in the next runs\.$/)
    await expect(remainingDays).toBeVisible()
    await expectAccessibleLayout(page, 'the requested orders', [
      [1440, 'light'],
      [360, 'dark'],
    ])
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect(remainingDays).toHaveCount(0, { timeout: 60_000 })
    await expect(runs.getByRole('row').filter({ hasText: 'OK' }).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(health).toContainText('OK')
    await page.goto(`${api.url}/parcels?period=any`)
    await expect(rowOf(page, 'C-LOST')).toContainText('Новый')
  },
)
