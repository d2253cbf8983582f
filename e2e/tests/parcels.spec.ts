import type { Page } from '@playwright/test'
import { mockAnswer, expect, holdAnswers, stopClock, test } from '../src/bare.ts'
import { Api } from '../src/api.ts'
import { buildParcelFile } from '../src/orders.ts'
import { signIn } from '../src/test.ts'

test.use({ expectedStatus: [404, 415, 500] })

const listUrl = '/api/parcel/parcels/all'
const upload = '/api/parcel/files/upload/'
const rows = (page: Page) => page.locator('tr[data-key]')
const period = (page: Page) => page.getByRole('button', { name: /^Период/ })

/** The query of the last call of the list. */
async function lastQuery(page: Page, act: () => Promise<unknown>): Promise<Record<string, string>> {
  const request = page.waitForRequest((request) => new URL(request.url()).pathname === listUrl)
  await act()
  return Object.fromEntries(new URL((await request).url()).searchParams)
}

test.beforeEach(({ page }) => page.clock.setSystemTime(new Date('2026-11-21T10:00:00+05:00')))

test('the period of the parcels is the current calendar month by default, and six presets change it', async ({
  page,
  open,
}) => {
  const first = await lastQuery(page, () => open('/parcels?page=3', 'buyer'))
  expect(first).toEqual({ date_from: '2026-11-01', date_to: '2026-11-30', page: '3', limit: '10' })
  for (const [name, from, to] of [
    ['Сегодня', '2026-11-21', '2026-11-21'],
    ['Вчера', '2026-11-20', '2026-11-20'],
    ['Последние 7 дней', '2026-11-15', '2026-11-21'],
    ['Последние 30 дней', '2026-10-23', '2026-11-21'],
    ['Прошлый месяц', '2026-10-01', '2026-10-31'],
    ['Текущий месяц', '2026-11-01', '2026-11-30'],
  ] as const) {
    await period(page).click()
    const request = page.getByRole('button', { name, exact: true }).click()
    await request
    const shownPeriod = [from, to].map((day) => day.split('-').toReversed().join('.')).join(' – ')
    await expect(period(page)).toHaveText(shownPeriod)
    if (name === 'Сегодня') await expect(page).toHaveURL(/period=today/)
    await expect(page, 'a changed filter goes back to page 1').not.toHaveURL(/page=/)
  }
})

test('two days, chosen or typed, make a period in either order', async ({ page, open }) => {
  await open('/parcels', 'buyer')
  const pick = (day: number) => page.getByRole('button', { name: new RegExp(`^${day} ноябр`, 'i') }).click()
  for (const [first, second] of [
    [5, 12],
    [12, 5],
  ] as const) {
    await period(page).click()
    await pick(first)
    await pick(second)
    await expect(period(page)).toHaveText('05.11.2026 – 12.11.2026')
    await page.getByRole('button', { name: 'Очистить: Период' }).click()
    await expect(period(page)).toHaveText('Выберите период')
  }
  await period(page).click()
  await page.getByLabel('Дата с').fill('20.11.2026')
  await page.getByLabel('Дата по').fill('05.11.2026')
  await page.getByLabel('Дата по').press('Enter')
  await expect(period(page)).toHaveText('05.11.2026 – 20.11.2026')
})

test('days outside of min and max cannot be chosen', async ({ page, open }) => {
  await open('/components-demo', 'admin')
  await page.getByRole('button', { name: /^Период с границами/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Период с границами' })
  await expect(dialog.getByRole('button', { name: /^31 октября|^1 ноября/i }).last()).toBeEnabled()
  await dialog.getByLabel('Дата с').fill('31.10.2026')
  await dialog.getByRole('button', { name: 'Применить' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Дата вне допустимого периода')
  await expect(dialog.getByRole('button', { name: 'Прошлый месяц' })).toBeDisabled()
})

test("the search of the parcels is by order number; a badge's colour is by code, with a default one", async ({
  page,
  open,
}) => {
  await open('/parcels', 'buyer')
  const tones = ['ok', 'info', 'info', 'work', 'wait', 'bad', 'neutral']
  await expect(rows(page)).toHaveCount(tones.length)
  const badges = rows(page).locator('[data-tone]')
  expect(
    await badges.evaluateAll((elements) => elements.map((element) => element.getAttribute('data-tone'))),
  ).toEqual(tones)
  await expect(badges.first()).toHaveText('Title of DELIVERED')
  const query = await lastQuery(page, () =>
    page.getByRole('searchbox', { name: 'Поиск по номеру заказа' }).fill('ORD-7'),
  )
  expect(query['orderno']).toBe('ORD-7')
})

test("a row opens the parcel's detail with its history, and a host without a history shows the rest", async ({
  page,
  open,
}) => {
  await open('/parcels', 'buyer')
  await rows(page).first().click()
  await expect(page.getByText('Navoi 1')).toBeVisible()
  await expect(page.getByText('+998901234567').last()).toBeVisible()
  await mockAnswer(page, '/api/parcel/parcels/2', {
    body: {
      id: 2,
      orderno: 'ORD-2',
      status: { code: 'IN_TRANSIT', title: 'On its way', eventtime: '2026-11-20T12:00:00+05:00' },
      date: '2026-11-20',
      package: {},
      receiver: {},
      history: [
        { code: 'IN_TRANSIT', title: 'On its way', eventtime: '2026-11-20T12:00:00+05:00' },
        { code: 'PENDING', title: 'Taken in', eventtime: '2026-11-19T09:30:00+05:00' },
      ],
    },
  })
  await rows(page).nth(1).click()
  const events = page.getByRole('list', { name: 'История статусов' }).getByRole('listitem')
  await expect(events).toHaveCount(2)
  await expect(events.first()).toContainText('On its way')
  await expect(page).toHaveURL(/id=2/)
})

test('an empty parcels list and a failed load show their texts, and a failure empties the list', async ({
  page,
  open,
}) => {
  const undo = await mockAnswer(page, `${listUrl}?*`, { body: { items: [], meta: { total: 0 } } })
  await open('/parcels', 'buyer')
  await expect(page.getByText('Посылки не найдены по вашим критериям.', { exact: true })).toBeVisible()
  await undo()
  await page.reload()
  await expect(rows(page)).not.toHaveCount(0)
  await mockAnswer(page, `${listUrl}?*`, { status: 500, body: { detail: 'The database is away' } })
  await page.getByRole('searchbox').fill('x')
  await expect(page.getByRole('alert')).toContainText('Failed to load parcels. Please try again later.')
  await expect(page.getByRole('alert')).toContainText('The database is away')
  await expect(rows(page)).toHaveCount(0)
})

test.describe('Upload', () => {
  const file = { name: 'orders.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }
  const toast = (page: Page) => page.getByRole('region', { name: 'Notifications' })
  const submit = (page: Page) => page.getByRole('button', { name: 'Загрузить', exact: true })
  const toggle = (page: Page) => page.getByRole('button', { name: 'Загрузка заказов' })

  test.beforeEach(async ({ page, open }) => {
    await open('/parcels', 'buyer')
    await toggle(page).click()
  })

  test('the upload panel opens and closes, accepts pdf, xlsx, xls, doc and docx, and refuses another type', async ({
    page,
  }) => {
    const input = page.locator('input[type=file]')
    await expect(input).toHaveAttribute('accept', '.pdf,.xlsx,.xls,.doc,.docx')
    await input.setInputFiles({ ...file, name: 'orders.exe' })
    await expect(page.getByText(/^Файл этого типа не принимается/)).toBeVisible()
    await page.getByRole('button', { name: 'Отмена' }).click()
    await expect(input).toHaveCount(0)
    await toggle(page).click()
    await expect(input).toHaveCount(1)
    await toggle(page).click()
    await expect(input).toHaveCount(0)
  })

  test("an upload without a file shows 'Файл не выбран' and sends nothing", async ({ page, bare }) => {
    const before = bare.calls.length
    await submit(page).click()
    await expect(toast(page)).toContainText('Xatolik')
    await expect(toast(page)).toContainText('Файл не выбран')
    expect(bare.calls.slice(before).filter(({ path }) => path === upload)).toEqual([])
  })

  const outcomes = [
    {
      title: "an upload that is sent shows 'Файл успешно загружен и отправлен в Telegram'",
      body: { sent_to_telegram: true, message: 'OK' },
      toastText: 'MuvaffaqiyatФайл успешно загружен и отправлен в Telegram',
      tone: 'success',
    },
    {
      title: "an upload that is not sent shows so with the server's message in danger style",
      body: { sent_to_telegram: false, message: 'chat not found' },
      toastText: 'XatolikФайл загружен, но не отправлен в Telegram: chat not found',
      tone: 'danger',
    },
    {
      title: "an upload that fails shows the server's message",
      status: 415,
      body: { detail: 'Not a PDF' },
      toastText: 'XatolikNot a PDF',
      tone: 'danger',
    },
    {
      title: "an upload that fails without a message shows 'Ошибка при загрузке файла'",
      status: 500,
      body: {},
      toastText: 'XatolikОшибка при загрузке файла',
      tone: 'danger',
    },
  ]
  for (const { title, status = 200, body, toastText, tone } of outcomes) {
    test(title, async ({ page }) => {
      await mockAnswer(page, upload, { status, body })
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByPlaceholder('Комментарий').fill('Morning')
      await submit(page).click()
      await expect(toast(page)).toContainText(toastText)
      await expect(toast(page).locator('[data-tone]')).toHaveAttribute('data-tone', tone)
      // The panel of a file that is not sent stays open.
      const focused =
        tone === 'danger' ? submit(page) : page.getByRole('button', { name: 'Загрузка заказов' })
      await expect(focused).toBeFocused()
    })
  }

  test('a toast closes after 5000 ms', async ({ page }) => {
    await page.clock.install()
    await stopClock(page)
    await submit(page).click()
    await expect(toast(page)).toContainText('Файл не выбран')
    await page.mouse.move(0, 0)
    await page.clock.runFor(4900)
    await expect(toast(page)).toContainText('Файл не выбран')
    await page.clock.runFor(200)
    await expect(toast(page)).not.toContainText('Файл не выбран')
  })

  test('the upload button is disabled while a file is sent', async ({ page }) => {
    const release = await holdAnswers(page, upload)
    await page.locator('input[type=file]').setInputFiles(file)
    await submit(page).click()
    await expect(page.getByRole('button', { name: 'Загрузка...' })).toBeDisabled()
    await release()
    await expect(toast(page)).toContainText('Muvaffaqiyat')
  })

  test('an upload on a slow line shows its progress and may take longer than a call', async ({ page }) => {
    const devTools = await page.context().newCDPSession(page)
    await page.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.alloc(400_000) })
    await devTools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 50_000,
    })
    const startTime = performance.now()
    await submit(page).click()
    const progress = page.getByRole('progressbar')
    await expect.poll(() => progress.getAttribute('value').then(Number)).toBeGreaterThan(0.1)
    await expect(toast(page)).toContainText('Muvaffaqiyat')
    expect(performance.now() - startTime).toBeGreaterThan(5000)
  })

  test('an upload without an answer within 5 s fails', async ({ page }) => {
    const release = await holdAnswers(page, upload)
    await page.locator('input[type=file]').setInputFiles(file)
    await submit(page).click()
    await expect(toast(page)).toContainText('Ошибка при загрузке файла')
    await release()
  })
})

test('a regular user sees only their own parcels, and an admin sees all', async ({ page, product, api }) => {
  const { password } = await api.newPerson('parcel-owner')
  const [ownFile, otherFile] = [
    buildParcelFile('mine.csv', 0, 3, 'MINE'),
    buildParcelFile('other.csv', 0, 2, 'OTHER'),
  ]
  for (const { content, name } of [ownFile, otherFile]) {
    const [head = '', ...lines] = content.split('\n')
    const owner = name === 'mine.csv' ? 'parcel-owner' : 'admin'
    const form = new FormData()
    form.set(
      'file',
      new File([[`${head},owner`, ...lines.map((line) => `${line},${owner}`)].join('\n')], name),
    )
    await api.call('POST', '/api/admin/parcels/import/', form)
  }
  const person = await Api.signIn(product.url, 'parcel-owner', password)
  const ownerPage = await person.call<{ meta: { total: number } }>('GET', `${listUrl}?per_page=1`)
  expect(ownerPage.meta.total).toBe(3)
  await signIn(page, product.url, 'parcel-owner', password)
  await expect(page.getByText('MINE-0')).toBeVisible()
  await expect(page.getByText('OTHER-0')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Импорт' })).toHaveCount(0)
})
