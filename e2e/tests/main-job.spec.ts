import type { Page } from '@playwright/test'
import { orderSheet, parcelFile } from '../src/orders.ts'
import { looksOf, variants } from '../src/extent.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, signIn, test } from '../src/test.ts'

const looks = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 1440 },
] as const

/** As it should be at any moment of the journey: usable without a mouse, and nothing beyond the edge. */
async function expectSound(page: Page) {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

for (const { colorScheme, width } of looksOf(looks)) {
  test.describe(`${colorScheme}, ${width} px`, () => {
    test.use({ colorScheme, viewport: { width, height: 900 } })

    test(
      'sign in, import, see parcels, search, change the period, upload a file, sign out',
      variants,
      async ({ page, desk }) => {
        const prefix = `${colorScheme}${width}`
        // The month that the imported parcels are of.
        await page.clock.setSystemTime(new Date('2026-11-21T10:00:00+05:00'))
        await page.goto(desk.url)
        await expect(page).toHaveURL(/\/login$/)
        await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
        await expectSound(page)
        await signIn(page, desk.url, desk.admin.username, desk.admin.password)

        // Import: twenty parcels of November, two events each.
        await page.getByRole('button', { name: 'Импорт' }).click()
        const dialog = page.getByRole('dialog', { name: 'Импорт' })
        const { content, name } = parcelFile(`${prefix}.csv`, 0, 20, prefix)
        await dialog
          .locator('input[type=file]')
          .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
        await expectSound(page)
        await dialog.getByRole('button', { name: 'Импортировать' }).click()
        await expect(dialog.getByText('Новых')).toBeVisible()
        await expect(dialog.getByText('20', { exact: true }).first()).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()

        // The list has them, newest state on the row, the whole history behind it.
        await page.getByPlaceholder('Поиск по номеру заказа').fill(`${prefix}-7`)
        const row = page.getByRole('row').filter({ hasText: `${prefix}-7` })
        await expect(row).toHaveCount(1)
        await expect(row).toContainText('Выдан курьеру на доставку')
        await expect(page).toHaveURL(/search=/)
        await row.click()
        await expect(page.getByText('Новый', { exact: true }).last()).toBeVisible()
        await expectSound(page)
        if (width === 360) await page.keyboard.press('Escape')

        // Another period has none of them.
        await page.getByRole('button', { name: /01\.11\.2026/ }).click()
        await page.getByRole('button', { name: 'Прошлый месяц' }).click()
        await expect(page.getByText('Посылки не найдены по вашим критериям.')).toBeVisible()
        await expectSound(page)
        await page.goBack()
        await expect(row).toHaveCount(1)

        // An order file: one good row, one bad.
        await page.getByRole('button', { name: 'Загрузка заказов' }).click()
        await page.locator('input[type=file]').setInputFiles({
          name: `Заказы ${prefix}.xlsx`,
          mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
          buffer: await orderSheet([
            ['№ заказа', 'Дата', 'Получатель', 'Вес', 'Город'],
            [`${prefix}-up`, '2026-11-20', 'Азиза Юсупова', '1.2', 'Ташкент'],
            [`${prefix}-bad`, '2026-11-20', 'Бобур Алимов', 'тяжёлый', 'Бухара'],
          ]),
        })
        await page.getByPlaceholder('Комментарий').fill('Утренняя партия')
        await expectSound(page)
        await page.getByRole('button', { name: 'Загрузить', exact: true }).click()
        await expect(page.getByText('Xatolik')).toBeVisible()
        await expect(page.getByText(/^Файл загружен, но не отправлен в Telegram: ./)).toBeVisible()
        await expect(page.getByRole('region', { name: 'Строки с ошибками' })).toBeVisible()
        await page.getByRole('button', { name: 'Отмена' }).click()
        await page.getByPlaceholder('Поиск по номеру заказа').fill(`${prefix}-up`)
        await expect(page.getByRole('row').filter({ hasText: `${prefix}-up` })).toContainText('Новый')

        await page.getByRole('button', { name: /profile and sign out/ }).click()
        await page.getByRole('menuitem', { name: 'Sign out' }).click()
        await expect(page).toHaveURL(/\/login$/)
        expect(await page.evaluate(() => localStorage.getItem('emu_auth'))).toBeNull()
      },
    )
  })
}
