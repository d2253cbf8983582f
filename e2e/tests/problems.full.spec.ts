import { variants } from '../src/extent.ts'
import type { Page } from '@playwright/test'
import { mockAnswer } from '../src/bare.ts'
import { openSignedIn, pressOn, typeInto } from '../src/keyboard.ts'
import { importParcels } from '../src/orders.ts'
import { expect, expectAccessible, expectAccessibleLayout, signIn, test } from '../src/test.ts'

const rows = (page: Page) => page.locator('tr[data-key]')
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const waiting = (page: Page) =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: /Parcels/ })
const chip = (page: Page) => page.getByRole('button', { name: /^Требуют внимания/ })

test(
  'a problem parcel is found, gets a note, and leaves the list when its status changes',
  variants,
  async ({ page, api }) => {
    const { password } = await api.newPerson('aziz')
    await importParcels(
      api,
      ['P-1', 'COURIERCANCELED', 1, 'aziz'],
      ['P-2', 'DATECHANGE', 1, 'aziz'],
      // Of another month, and without a status change since.
      ['P-3', 'DELIVERY', 40, 'aziz'],
      ['P-4', 'COMPLETE', 1, 'aziz'],
      ['P-5', 'LOST', 1, 'admin'],
    )
    await signIn(page, api.url, 'aziz', password)
    await expect(waiting(page)).toHaveText('Parcels3 требуют внимания')

    await pressOn(page, chip(page))
    await expect(page).toHaveURL(/problem=any/)
    await expect(rows(page)).toHaveCount(3)
    await expect(rowOf(page, 'P-3')).toContainText('Без движения')
    await page.getByRole('button', { name: 'Перенос 1' }).click()
    await expect(page).toHaveURL(/problem=postponed/)
    await expect(rows(page)).toHaveCount(1)
    await page.reload()
    await expect(rows(page)).toHaveCount(1)
    await expect(rowOf(page, 'P-2')).toContainText('Перенос')
    await page.goBack()
    await expect(rows(page)).toHaveCount(3)

    await expectAccessibleLayout(page, 'problems', [
      [1440, 'dark'],
      [360, 'light'],
    ])
    await page.setViewportSize({ width: 1440, height: 900 })

    await rowOf(page, 'P-1').getByRole('cell').first().click()
    const detail = page.getByRole('region', { name: 'P-1' })
    await expect(detail).toContainText('Требует внимания: отказ')
    await pressOn(page, detail.getByRole('button', { name: 'Добавить заметку' }))
    await expect(detail.getByLabel('Заметка')).toHaveAccessibleDescription('Напишите заметку')
    await typeInto(page, detail.getByLabel('Заметка'), 'Позвонить в понедельник')
    await pressOn(page, detail.getByRole('button', { name: 'Добавить заметку' }))
    const steps = detail.getByRole('list', { name: 'История статусов' }).getByRole('listitem')
    await expect(steps).toHaveCount(2)
    await expect(steps.first()).toContainText('Позвонить в понедельникЗаметка: Name of aziz')
    await expect(steps.last()).toHaveAttribute('aria-current', 'step')
    await expect(detail.getByLabel('Заметка')).toHaveValue('')
    await expect(detail.getByRole('button', { name: 'Добавить заметку' })).toBeFocused()
    await expectAccessible(page, 'a problem parcel')

    await importParcels(api, ['P-1', 'COMPLETE', 0, 'aziz'])
    await page.reload()
    await expect(waiting(page)).toHaveText('Parcels2 требуют внимания')
    await expect(rows(page)).toHaveCount(2)
    await expect(steps).toHaveText([/^Доставлен/, /^Позвонить в понедельник/, /^Отказ/])
    await expect(detail).not.toContainText('Требует внимания')
  },
)

test.describe('Notes', () => {
  test.use({ expectedStatus: [500] })

  test('a note that is not saved shows an error and keeps its text', async ({ page, api }) => {
    await importParcels(api, ['Q-1', 'UNCONFIRM', 1, 'admin'])
    await openSignedIn(page, api, '/parcels?problem=not_agreed')
    await expect(waiting(page)).toContainText('требуют внимания')
    await rowOf(page, 'Q-1').getByRole('cell').first().click()
    const detail = page.getByRole('region', { name: 'Q-1' })
    await detail.getByLabel('Заметка').fill('Ждём ответа')
    await mockAnswer(page, '/notes/', { status: 500, body: { detail: 'База недоступна' } })
    await detail.getByRole('button', { name: 'Добавить заметку' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Не удалось сохранить заметку.' })).toBeVisible()
    await expect(detail.getByLabel('Заметка')).toHaveValue('Ждём ответа')
  })
})
