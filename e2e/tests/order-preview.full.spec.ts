import type { Page } from '@playwright/test'
import { mockAnswer, holdAnswers } from '../src/bare.ts'
import { openSignedIn, pressOn, tabTo } from '../src/keyboard.ts'
import { buildOrderSheet } from '../src/orders.ts'
import { test } from '../src/telegram.ts'
import { selectAppearances, variants } from '../src/extent.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, signIn } from '../src/test.ts'

const preview = '/api/parcel/files/preview/'
const upload = '/api/parcel/files/upload/'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const headings = ['Buyurtma raqami', 'Получатель', 'Оғирлиги, кг', 'Примечание']

/** Orders: the second has no numeric weight, and one after the first ten has no order number. */
const orders = async (prefix: string, rows = 3) => ({
  name: 'Заказы ноября.xlsx',
  mimeType: xlsx,
  buffer: await buildOrderSheet([
    headings,
    ...Array.from({ length: rows }, (_, i) => [
      i === 10 ? '' : `${prefix}-${i + 1}`,
      `Азиза ${i + 1}`,
      i === 1 ? 'много' : '1,5',
      'x',
    ]),
  ]),
})
const pdf = (name = 'Накладная.pdf') => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
})

const toggle = (page: Page) => page.getByRole('button', { name: 'Загрузка заказов' })
const input = (page: Page) => page.locator('input[type=file]')
const submit = (page: Page) => page.getByRole('button', { name: 'Загрузить', exact: true })
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const table = (page: Page) => page.getByRole('region', { name: 'Предпросмотр заказов' })
const previewStatus = (page: Page) => page.locator('form').getByRole('status')
const success = 'MuvaffaqiyatФайл успешно загружен и отправлен в Telegram'

/** Sends the chosen file. On a busy machine Telegram may get it later. */
async function send(page: Page): Promise<void> {
  const answer = page.waitForResponse(`**${upload}`)
  await submit(page).click()
  await answer
  await expect(toasts(page)).toContainText(/Файл (успешно )?загружен/)
}

/** The file calls that the page has made so far. */
function watchFiles(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/parcel/files/')) requests.push(pathname)
  })
  return requests
}

test(
  'an order file is previewed with its bad row, and the upload sends it unchanged',
  variants,
  async ({ page, api, telegram }) => {
    const { password } = await api.newPerson('previewer')
    await signIn(page, api.url, 'previewer', password)
    const requests = watchFiles(page)
    await toggle(page).click()
    await input(page).setInputFiles(await orders('A', 12))
    await expect(previewStatus(page)).toHaveText(
      'Распознано 10\u00a0заказов, 2\u00a0строки с\u00a0ошибками. Скрыть',
    )
    for (const [field, heading] of [
      ['Номер заказа', 'Buyurtma raqami'],
      ['Получатель', 'Получатель'],
      ['Вес, кг', 'Оғирлиги, кг'],
    ] as const)
      await expect(table(page).getByRole('columnheader', { name: `${field} ${heading}` })).toBeVisible()
    const row = (number: number) =>
      table(page)
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: String(number), exact: true }) })
    await expect(row(1).getByRole('cell')).toHaveText(['1', 'A-1', 'Азиза 1', '1,5'])
    await expect(row(2).getByRole('cell')).toHaveText(['2', 'A-2', 'Азиза 2', 'много'])
    const below = (text: string) => row(2).locator('xpath=following-sibling::tr[1]').getByText(text)
    await expect(below('Вес, кг: не число')).toBeVisible()
    await expect(row(11)).toContainText('Номер заказа: не заполнено')
    await expect(table(page)).toContainText('И ещё 1\u00a0строка без ошибок')
    await expect(page.getByText('Не узнаны и не будут взяты столбцы: Примечание')).toBeVisible()
    for (const width of selectAppearances([360, 1440])) {
      for (const colorScheme of selectAppearances(['light', 'dark'] as const)) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await expectNoHorizontalScroll(page, `preview, ${width} px`)
        await expectAccessible(page, `preview, ${width} px, ${colorScheme}`)
      }
    }
    expect(requests).toEqual([preview])

    await submit(page).click()
    await expect(toasts(page)).toContainText(success)
    expect(requests).toEqual([preview, upload])
    expect(telegram.sent.at(-1)).toMatchObject({ name: 'Заказы ноября.xlsx' })
    const result = page.getByRole('status', { name: 'Итог загрузки' })
    await expect(result).toContainText('Пропущено')
    const problems = page.getByRole('region', { name: 'Строки с ошибками' })
    await expect(problems).toContainText('Вес, кг')
    await expect(problems).toContainText('не число')
    await expect(result, 'a screen reader announces the numbers, not every row').not.toContainText('не число')
    await expect(page.locator('tr[data-key]').filter({ hasText: 'A-3' })).toBeVisible()
    await expect(page.locator('tr[data-key]').filter({ hasText: 'A-2' })).toHaveCount(0)
  },
)

test('a file that is no order file is announced as such and sent as a document', async ({ page, api }) => {
  await openSignedIn(page, api, '/parcels')
  const requests = watchFiles(page)
  await toggle(page).click()
  const otherFile = {
    name: 'Цены.xlsx',
    mimeType: xlsx,
    buffer: await buildOrderSheet([['Number', 'Price']]),
  }
  await input(page).setInputFiles(otherFile)
  await expect(previewStatus(page)).toHaveText(
    'Таблица заказов не найдена: файл будет отправлен как документ.',
  )
  await expectAccessible(page, 'no orders')
  await send(page)
  expect(requests.splice(0)).toEqual([preview, upload])

  await openSignedIn(page, api, '/parcels')
  await toggle(page).click()
  await input(page).setInputFiles(pdf())
  await expect(page.getByText('Это документ, не таблица заказов: он будет отправлен как есть.')).toBeVisible()
  await expectAccessible(page, 'a document')
  await send(page)
  expect(requests.splice(0), 'a document is sent once').toEqual([upload])

  await openSignedIn(page, api, '/parcels')
  await toggle(page).click()
  await input(page).setInputFiles({ ...pdf(), name: 'orders.csv' })
  await expect(page.getByText(/^Файл этого типа не принимается/)).toBeVisible()
  expect(requests).toEqual([])
})

test.describe('Files without a preview', () => {
  test.use({ expectedStatus: [404, 405, 415, 500] })

  test('a file whose content does not fit its type shows a warning, and its upload shows the same refusal', async ({
    page,
    api,
  }) => {
    await openSignedIn(page, api, '/parcels')
    await toggle(page).click()
    await input(page).setInputFiles({ ...pdf('Заказы.xlsx'), mimeType: xlsx })
    await expect(previewStatus(page)).toHaveText('Такой файл, скорее всего, не будет принят.')
    await expect(page.getByText('Содержимое файла не похоже на .xlsx.')).toBeVisible()
    await expectAccessible(page, 'refused')
    await submit(page).click()
    await expect(toasts(page)).toContainText('XatolikСодержимое файла не похоже на .xlsx.')
  })

  test('an upload works on a host without previews and on one whose preview fails', async ({ page, api }) => {
    const requests = watchFiles(page)
    for (const status of [404, 405, 500]) {
      const undo = await mockAnswer(page, preview, { status, body: {} })
      await openSignedIn(page, api, '/parcels')
      await toggle(page).click()
      await input(page).setInputFiles(await orders(`F${status}`))
      await expect(previewStatus(page)).toHaveText(
        'Показать файл заранее не удалось. Отправить его можно и так.',
      )
      await expect(page.getByRole('alert')).toHaveCount(0)
      await send(page)
      expect(requests.splice(0)).toEqual([preview, upload])
      await undo()
    }
    await mockAnswer(page, '/api/app/settings', { status: 404 })
    await openSignedIn(page, api, '/parcels')
    await toggle(page).click()
    await input(page).setInputFiles(await orders('B'))
    await expect(page.getByText('pdf, xlsx, xls, doc, docx')).toBeVisible()
    await send(page)
    expect(requests).toEqual([upload])
  })
})

test('a slow preview is cancelled when its file changes, and never delays the upload', async ({
  page,
  api,
}) => {
  await openSignedIn(page, api, '/parcels')
  await holdAnswers(page, preview)
  await toggle(page).click()
  const waitForAbort = () => page.waitForEvent('requestfailed', (request) => request.url().endsWith(preview))
  const pick = async (prefix: string) => {
    const request = page.waitForRequest(`**${preview}`)
    await input(page).setInputFiles(await orders(prefix))
    await request
    await expect(previewStatus(page)).toHaveText('Читаем файл…')
  }
  await pick('C')
  const changeAbort = waitForAbort()
  await pick('D')
  await changeAbort
  const removalAbort = waitForAbort()
  await page.getByRole('button', { name: 'Убрать Заказы ноября.xlsx' }).click()
  await removalAbort
  await pick('E')
  const release = await holdAnswers(page, upload)
  const sendAbort = waitForAbort()
  await submit(page).click()
  await sendAbort
  await expect(page.getByRole('button', { name: 'Загрузка...' })).toBeDisabled()
  await release()
  await expect(toasts(page)).toContainText(/Файл (успешно )?загружен/)
  await expect(page.locator('tr[data-key]').filter({ hasText: 'E-1' })).toBeVisible()
})

test('the layout does not move when a preview arrives, at both widths', async ({ page, api }) => {
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 })
    await openSignedIn(page, api, '/parcels')
    const release = await holdAnswers(page, preview)
    await toggle(page).click()
    await input(page).setInputFiles(await orders(`S${width}`, 12))
    await expect(previewStatus(page)).toHaveText('Читаем файл…')
    const below = page.getByRole('searchbox', { name: 'Поиск по номеру заказа' })
    const before = await below.boundingBox()
    await release()
    await expect(previewStatus(page)).toContainText('Распознано')
    await expect(table(page)).toBeVisible()
    expect(await below.boundingBox(), `${width} px`).toEqual(before)
  }
})

test('a file is chosen, previewed, hidden and sent by keyboard', async ({ page, api }) => {
  await openSignedIn(page, api, '/parcels')
  // The listener must exist before the key, or the browser opens its own dialog.
  const chooser = page.waitForEvent('filechooser')
  await pressOn(page, toggle(page))
  await tabTo(page, input(page))
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(await orders('K', 12))
  await tabTo(page, table(page))
  const readScroll = () => table(page).evaluate((element) => element.scrollTop)
  await page.keyboard.press('End')
  await expect.poll(readScroll).toBeGreaterThan(0)
  await tabTo(page, page.getByRole('button', { name: 'Скрыть' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(table(page)).toHaveCount(0)
  const shows = page.getByRole('button', { name: 'Посмотреть' })
  await expect(shows).toBeFocused()
  await expect(shows).toHaveAttribute('aria-expanded', 'false')
  await pressOn(page, submit(page))
  await expect(toasts(page)).toContainText(/Файл (успешно )?загружен/)
})
