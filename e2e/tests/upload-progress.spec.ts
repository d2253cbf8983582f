import type { Page } from '@playwright/test'
import { expect, holdAnswers, test } from '../src/bare.ts'
import { signOutInOtherTab } from '../src/sign-out.ts'

const pdf = { name: 'Заказы.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') }

/** Starts an upload that gets no answer until the returned function is called. */
async function startUpload(page: Page): Promise<() => Promise<void>> {
  const release = await holdAnswers(page, '/api/parcel/files/upload/')
  await page.getByRole('button', { name: 'Загрузка заказов' }).click()
  await page.locator('input[type=file]').setInputFiles(pdf)
  await page.getByRole('button', { name: 'Загрузить', exact: true }).click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  return release
}

test('the browser asks before a page is reloaded while a file is uploaded, and not afterwards', async ({
  page,
  open,
}) => {
  await open('/parcels', 'admin')
  const release = await startUpload(page)
  // The upload continues on the other pages.
  await page.getByRole('link', { name: 'Offers', exact: true }).first().click()
  await expect(page).toHaveURL(/\/offers$/)
  const question = page.waitForEvent('dialog')
  const reload = page.evaluate(() => window.location.reload())
  const dialog = await question
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await reload
  const answer = page.waitForResponse('**/api/parcel/files/upload/')
  await release()
  await answer
  await expect(page.getByText('Muvaffaqiyat')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Muvaffaqiyat')).toHaveCount(0)
})

test('a change of the language that a person confirmed during an upload is not asked about again', async ({
  page,
  open,
}) => {
  await open('/parcels', 'admin')
  await startUpload(page)
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  await page.getByRole('menuitemradio', { name: 'English', exact: true }).click()
  const dialogs: string[] = []
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.type())
    await dialog.accept()
  })
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: 'OK', exact: true })
    .click({ timeout: 10_000 })
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  expect(dialogs).toEqual([])
})

test("'Отмена' during an upload stops it, and sends no message", async ({ page, open }) => {
  await open('/parcels', 'admin')
  const chunks = Promise.withResolvers<void>()
  await page.route('**/api/parcel/files/upload/', () => chunks.promise)
  await page.getByRole('button', { name: 'Загрузка заказов' }).click()
  await page.locator('input[type=file]').setInputFiles(pdf)
  await page.getByRole('button', { name: 'Загрузить', exact: true }).click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  const failure = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/upload/'))
  await page.getByRole('button', { name: 'Отмена' }).click()
  expect((await failure).failure()?.errorText).toBe('net::ERR_ABORTED')
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Notifications' })).not.toContainText('Xatolik')
  chunks.resolve()
})

test('an upload stops when the session ends, and sends no message', async ({ page, context, open }) => {
  await open('/parcels', 'admin')
  await startUpload(page)
  const failure = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/upload/'))
  await signOutInOtherTab(page, context)
  expect((await failure).failure()?.errorText).toBe('net::ERR_ABORTED')
  // A message would stay for 5 s.
  await page.waitForTimeout(500)
  expect(await page.getByText('Xatolik').count()).toBe(0)
  // The browser asks no more.
  await page.reload()
  await expect(page.getByRole('button', { name: 'Войти' })).toBeVisible()
})

test('a question comes before a page with a chosen file is left, and none during its upload', async ({
  page,
  open,
}) => {
  await open('/parcels', 'admin')
  await page.getByRole('button', { name: 'Загрузка заказов' }).click()
  await page.locator('input[type=file]').setInputFiles(pdf)
  const link = page.getByRole('link', { name: 'Offers', exact: true }).first()
  await link.click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Отмена' }).click({ timeout: 10_000 })
  await expect(page).toHaveURL(/\/parcels$/)
  await expect(page.getByText('Заказы.pdf')).toBeVisible()
  const release = await holdAnswers(page, '/api/parcel/files/upload/')
  await page.getByRole('button', { name: 'Загрузить', exact: true }).click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await link.click()
  await expect(page).toHaveURL(/\/offers$/)
  await release()
})
