import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { announceFeatures, expect, mockAnswer, storeSession, createSession, test } from '../src/bare.ts'
import { signOutInOtherTab } from '../src/sign-out.ts'
import { startSlowImport, type SlowImport } from '../src/slow-import.ts'

const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Импорт посылок' })
const running = {
  status: 'running',
  size: 1000,
  bytes_read: 250,
  imported: 1200,
  updated: 30,
  unchanged: 4,
  skipped: 2,
}

let host: SlowImport
test.beforeEach(async ({ page, bare }) => {
  await announceFeatures(page, 'imports')
  host = await startSlowImport(bare.url)
  await storeSession(page, createSession('admin'))
  await page.clock.install()
  await page.goto(`${host.url}/parcels`)
  await page.getByRole('button', { name: 'Импорт' }).click()
})
test.afterEach(() => host.close())

/** Uploads a csv of a number of bytes. */
async function submit(page: Page, bytes = 1000) {
  await dialog(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'История.csv', mimeType: 'text/csv', buffer: Buffer.alloc(bytes, 'x') })
  await dialog(page).getByRole('button', { name: 'Импортировать' }).click()
  await expect.poll(() => host.countOpen()).toBe(1)
}

test('an import shows how much is sent, then the progress on the server, for any duration', async ({
  page,
}) => {
  await submit(page, 12_000_000)
  await expect(dialog(page).getByText('Отправка: История.csv')).toBeVisible()
  await expect(dialog(page).getByText(/^\d+,\d\sМБ из 12,0\sМБ$/)).toBeVisible()
  host.progress = running
  host.startReading()
  await expect(dialog(page).getByText('Импорт: История.csv')).toBeVisible()
  // An import may take longer than the time limit of a call.
  await page.clock.runFor(20_000)
  const counts = dialog(page).locator('dl')
  await expect(counts).toHaveText(/Новых1\s200Обновлено30Без изменений4Пропущено2/)
  await expect(dialog(page).getByRole('progressbar')).toHaveJSProperty('value', 0.25)
  const [form] = host.forms
  expect([...(form?.keys() ?? [])], 'the key stands before the file').toEqual(['key', 'file'])
  expect(new Set(host.progressKeys)).toEqual(new Set([form?.get('key')]))
  host.answer(200, { imported: 1300, updated: 30, unchanged: 4, skipped: 0, errors: [] })
  await expect(dialog(page).getByRole('status', { name: 'Итог загрузки' })).toContainText('1 300')
  await expect(dialog(page).getByRole('progressbar')).toHaveCount(0)
})

test('skipped rows of an import are shown in a table, which can be saved as a csv for Excel', async ({
  page,
}) => {
  host.startReading()
  await submit(page)
  host.answer(200, {
    imported: 5,
    updated: 0,
    unchanged: 0,
    skipped: 1200,
    errors: [
      { row: 2, field: 'weight', message: 'weight has more than 3 decimals' },
      { row: 7, field: 'owner', message: '=HYPERLINK("x"), is not a username' },
    ],
  })
  const rows = dialog(page).getByRole('region', { name: 'Строки с ошибками' }).getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toHaveText('2weightweight has more than 3 decimals')
  await expect(dialog(page).getByText('Первые 2 из 1 200 пропущенных строк.')).toBeVisible()
  const download = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Сохранить csv' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('История-skipped.csv')
  expect(await readFile(await file.path(), 'utf8')).toBe(
    '\uFEFFСтрока,Поле,Ошибка\r\n2,weight,weight has more than 3 decimals\r\n' +
      '7,owner,"\'=HYPERLINK(""x""), is not a username"\r\n',
  )
})

/** Starts an import and closes its dialog. */
async function importInBackground(page: Page): Promise<void> {
  host.progress = running
  host.startReading()
  await submit(page)
  await expect(dialog(page).getByText('Окно можно закрыть: импорт продолжится.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(toasts(page).getByText('Импорт: История.csv')).toBeVisible()
}

test('an import continues after its dialog is closed, reports in a toast, and shows its result again', async ({
  page,
}) => {
  await importInBackground(page)
  await page.clock.runFor(10_000)
  await expect(toasts(page).getByText('Строк: 1 236')).toBeVisible()
  // The reopened dialog shows the import, so the toast is not needed.
  await page.getByRole('button', { name: 'Импорт' }).click()
  await expect(dialog(page).getByRole('progressbar')).toBeVisible()
  await expect(toasts(page).getByText('Импорт: История.csv')).toHaveCount(0)
  await expect(dialog(page).getByRole('button', { name: 'Импортировать' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  // The import continues on another screen.
  await page.getByRole('link', { name: 'Offers' }).first().click()
  await expect(page).toHaveURL(/offers/)
  host.answer(200, { imported: 12_700, updated: 0, unchanged: 1, skipped: 0, errors: [] })
  await expect(
    toasts(page).getByText('Новых: 12 700, Обновлено: 0, Без изменений: 1, Пропущено: 0'),
  ).toBeVisible()
  await expect(toasts(page).getByRole('progressbar')).toHaveCount(0)
  await page.goBack()
  await page.getByRole('button', { name: 'Импорт' }).click()
  await expect(dialog(page).getByRole('status', { name: 'Итог загрузки' })).toContainText('12 700')
})

test('an import that the server has whole continues after a sign-out, and nobody else sees it', async ({
  page,
  context,
}) => {
  await importInBackground(page)
  await signOutInOtherTab(page, context)
  await expect(toasts(page).getByText('Окно можно закрыть: импорт продолжится.')).toBeVisible()
  await expect(page.getByRole('alert').filter({ visible: true, hasText: /./ })).toHaveCount(0)
})

test('another person who signs in does not see the result of an import', async ({ page, context }) => {
  host.startReading()
  await submit(page)
  await page.keyboard.press('Escape')
  host.answer(200, { imported: 5, updated: 0, unchanged: 0, skipped: 0, errors: [] })
  await expect(toasts(page).getByText('Новых: 5')).toBeVisible()
  await signOutInOtherTab(page, context)
  const user = { ...createSession('admin').user, id: 9, username: 'another' }
  await mockAnswer(page, '/parcel/auth/me', { body: user })
  await page.evaluate(
    (session) => {
      localStorage.setItem('emu_auth', JSON.stringify(session))
      window.dispatchEvent(new Event('storage'))
    },
    { token: 'token-of-admin', user },
  )
  await expect(page).toHaveURL(/parcels/)
  await page.getByRole('button', { name: 'Импорт' }).click()
  await expect(dialog(page).locator('input[type=file]')).toBeAttached()
  await expect(dialog(page).getByRole('status', { name: 'Итог загрузки' })).toHaveCount(0)
})

test('an upload of an import can be stopped, and nothing is imported', async ({ page }) => {
  await submit(page, 12_000_000)
  await dialog(page).getByRole('button', { name: 'Остановить' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Остановлено: из файла ничего не принято.')
  host.startReading()
  await expect.poll(() => host.countOpen(), 'the server notices it').toBe(0)
  expect(host.forms).toEqual([])
})

test.describe('Failed imports', () => {
  // A broken connection is either error, as the browser has written its request or not.
  test.use({ expectedStatus: [404, 422, 504], expectedText: ['ERR_EMPTY_RESPONSE', 'ERR_CONNECTION_RESET'] })

  test("an import that fails shows the server's reason", async ({ page }) => {
    host.startReading()
    await submit(page)
    host.answer(422, { detail: 'The heading row lacks "orderno".', code: 'invalid' })
    await expect(dialog(page).getByRole('alert')).toContainText('Не удалось импортировать файл.')
    await expect(dialog(page).getByRole('alert')).toContainText('The heading row lacks "orderno".')
  })

  test('an import whose connection breaks shows its progress to the end', async ({ page }) => {
    host.progress = running
    host.startReading()
    await submit(page)
    await expect(dialog(page).getByText('Импорт: История.csv')).toBeVisible()
    host.abort()
    await page.clock.runFor(1000)
    await expect(dialog(page).locator('dl')).toHaveText(/Новых1\s200/)
    host.progress = { ...running, status: 'done', imported: 9 }
    const report = dialog(page).getByRole('status', { name: 'Итог загрузки' })
    await expect(report).toContainText('Новых9')
    await expect(report).toContainText('Связь прервалась')
  })

  test('an import for which a proxy does not wait shows its progress to the end', async ({ page }) => {
    host.progress = running
    host.startReading()
    await submit(page)
    await expect(dialog(page).getByText('Импорт: История.csv')).toBeVisible()
    host.answer(504, {})
    await page.clock.runFor(1000)
    host.progress = { ...running, status: 'done', imported: 9 }
    await expect(dialog(page).getByRole('status', { name: 'Итог загрузки' })).toContainText('Новых9')
  })

  test('an import on a host without progress asks for it four times, and a lost connection shows what to do', async ({
    page,
  }) => {
    host.startReading()
    await submit(page)
    await expect(dialog(page).getByText('Импорт: История.csv')).toBeVisible()
    await expect.poll(() => host.progressKeys.length).toBe(4)
    await page.clock.runFor(10_000)
    expect(host.progressKeys.length, 'requests without an answer').toBe(4)
    host.abort()
    await expect(dialog(page).getByRole('alert')).toContainText('повторный импорт ничего не удвоит')
  })

  test("a template that the host lacks shows 'Не удалось скачать шаблон.'", async ({ page }) => {
    await dialog(page).getByRole('button', { name: 'Excel' }).click()
    await expect(toasts(page).getByText('Не удалось скачать шаблон.')).toBeVisible()
  })
})

test("the template of an import is downloaded in both formats, with the session's token", async ({
  page,
}) => {
  await page.route('**/api/admin/parcels/template/?format=csv', async (route) => {
    expect(await route.request().headerValue('authorization')).toBe('Bearer token-of-admin')
    await route.fulfill({ contentType: 'text/csv', body: 'orderno\n' })
  })
  const download = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'CSV', exact: true }).click()
  expect((await download).suggestedFilename()).toBe('parcels.csv')
})
