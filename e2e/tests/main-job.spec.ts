import type { Page } from '@playwright/test'
import { buildOrderSheet, buildParcelFile } from '../src/orders.ts'
import { selectAppearances, variants } from '../src/extent.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, signIn, test } from '../src/test.ts'

const appearances = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 1440 },
] as const

/** The page has no axe fault and no overflow. */
async function expectSound(page: Page) {
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
}

for (const { colorScheme, width } of selectAppearances(appearances)) {
  test.describe(`${colorScheme}, ${width} px`, () => {
    test.use({
      colorScheme,
      viewport: { width, height: 900 },
      contextOptions: { reducedMotion: 'no-preference' },
    })

    test(
      'a person signs in, imports, searches parcels, changes the period, uploads a file and signs out',
      variants,
      async ({ page, product }) => {
        const prefix = `${colorScheme}${width}`
        // The imported parcels are of this month.
        await page.clock.setSystemTime(new Date('2026-11-21T10:00:00+05:00'))
        await page.goto(product.url)
        await expect(page).toHaveURL(/\/login$/)
        await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
        await expectSound(page)
        await signIn(page, product.url, product.admin.username, product.admin.password)

        // Import: twenty parcels of November, two events each.
        await page.getByRole('button', { name: 'Импорт' }).click()
        const dialog = page.getByRole('dialog', { name: 'Импорт' })
        const { content, name } = buildParcelFile(`${prefix}.csv`, 0, 20, prefix)
        await dialog
          .locator('input[type=file]')
          .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
        await expectSound(page)
        await dialog.getByRole('button', { name: 'Импортировать' }).click()
        await expect(dialog.getByText('Новых')).toBeVisible()
        await expect(dialog.getByText('20', { exact: true }).first()).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()

        // The list shows the newest status, and the detail the whole history.
        await page.getByPlaceholder('Поиск по номеру заказа').fill(`${prefix}-7`)
        const row = page.getByRole('row').filter({ hasText: `${prefix}-7` })
        await expect(row).toHaveCount(1)
        await expect(row).toContainText('Выдан курьеру на доставку')
        await expect(page).toHaveURL(/search=/)
        await row.click()
        await expect(page.getByText('Новый', { exact: true }).last()).toBeVisible()
        await expectSound(page)
        if (width === 360) await page.keyboard.press('Escape')

        // Another period has none of the parcels.
        await page.getByRole('button', { name: /01\.11\.2026/ }).click()
        await page.getByRole('button', { name: 'Прошлый месяц' }).click()
        await expect(page.getByText('Посылки не найдены по вашим критериям.')).toBeVisible()
        await expectSound(page)
        await page.goBack()
        await expect(row).toHaveCount(1)

        // An order file with one good and one bad row.
        await page.getByRole('button', { name: 'Загрузка заказов' }).click()
        await page.locator('input[type=file]').setInputFiles({
          name: `Заказы ${prefix}.xlsx`,
          mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
          buffer: await buildOrderSheet([
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
