import type { Page } from '@playwright/test'
import { announceFeatures, mockAnswer, expect, holdAnswers, test } from '../src/bare.ts'
import { openFirst } from '../src/resources.ts'

test.use({
  expectedStatus: [401, 403, 404, 422, 429, 500],
  expectedText: ['net::ERR_FAILED', 'The own profile could not be loaded'],
})

const rowsOf = (page: Page) => page.locator('tr[data-key]')
const listSources = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Source ${index + 1}`,
    url: 'https://x.example',
  }))

for (const [spelling, credential] of [
  ['by name alone', { user: { name: 'Buyer' }, source: { name: '100k.uz' } }],
  ['with their ids', { user: { id: 2, name: 'Buyer' }, source: { id: 1, name: '100k.uz' } }],
] as const) {
  test(`a source credential shows its user and source objects, ${spelling}, and an edit sends their ids`, async ({
    page,
    open,
    bare,
  }) => {
    const items = [{ id: 1, name: 'Desk', login: 'desk', ...credential }]
    await mockAnswer(page, '/api/admin/source-credentials/**', {
      method: 'GET',
      body: { items, meta: { total: 1 } },
    })
    await open('/users?tab=source-credentials', 'admin')
    await expect(rowsOf(page)).toContainText(['Buyer'])
    await expect(rowsOf(page)).toContainText(['100k.uz'])
    const dialog = await openFirst(page)
    await expect(dialog.getByRole('combobox', { name: 'User', exact: true })).toHaveValue('Buyer')
    const before = bare.calls.length
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Source credential saved successfully.')).toBeVisible()
    const saveCall = bare.calls.slice(before).find(({ method }) => method === 'PUT')
    expect(saveCall?.body).toMatchObject({ name: 'Desk', user_id: 2, source_id: 1 })
  })
}

test('the search on the streams page sends its text as the parameter name', async ({ page, open, bare }) => {
  await open('/streams?search=autumn', 'admin')
  await expect(rowsOf(page)).not.toHaveCount(0)
  const calls = bare.calls.filter(({ path, query }) => path === '/api/admin/streams/' && 'name' in query)
  expect(calls[0]?.query).toEqual({ page: '1', per_page: '10', name: 'autumn' })
})

test('an edit does not send a field that the row lacks and the person did not change', async ({
  page,
  open,
  bare,
}) => {
  const row = { id: 1, name: 'Sold' }
  await mockAnswer(page, '/api/admin/status-types/**', { method: 'GET', body: row })
  await open('/settings/statuses', 'admin')
  await mockAnswer(page, '/api/admin/status-types/?*', { method: 'GET', body: [row] })
  await page.reload()
  const dialog = await openFirst(page)
  const active = dialog.getByRole('checkbox', { name: 'Active' })
  await expect(active).toBeChecked({ indeterminate: true })
  const save = async () => {
    const before = bare.calls.length
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    return bare.calls.slice(before).find(({ method }) => method === 'POST')?.body
  }
  expect(await save()).toEqual({ name: 'Sold' })
  await openFirst(page)
  await active.check()
  expect(await save()).toEqual({ name: 'Sold', is_active: true })
})

test('a bare array longer than a page is paged in the browser', async ({ page, open }) => {
  await mockAnswer(page, '/api/admin/cpa-sources/?*', { body: listSources(37) })
  await open('/settings/cpa-websites', 'admin')
  await expect(rowsOf(page)).toHaveCount(10)
  await expect(page.getByText('Показано 10 из 37 записей')).toBeVisible()
  await page.getByRole('button', { name: 'Страница 4' }).click()
  await expect(rowsOf(page)).toHaveCount(7)
  await expect(rowsOf(page).first()).toContainText('Source 31')
})

test("a failed load shows the answer's detail, or its message if there is no detail", async ({
  page,
  open,
}) => {
  await mockAnswer(page, '/api/admin/offers/?*', { status: 500, body: { message: 'Out of order' } })
  await open('/offers', 'admin')
  await expect(page.getByRole('alert')).toContainText('Failed to load offers. Please try again.')
  await expect(page.getByRole('alert')).toContainText('Out of order')
  await mockAnswer(page, '/api/admin/offers/?*', {
    status: 500,
    body: { detail: 'Closed', message: 'Out of order' },
  })
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Closed')
})

test("a save that fails without a message shows 'An error occurred'", async ({ page, open }) => {
  await mockAnswer(page, '/api/admin/cpa-sources/1/', { method: 'PUT', status: 500 })
  await open('/settings/cpa-websites', 'admin')
  const dialog = await openFirst(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('An error occurred')
})

test('a 401 of an announced call ends the session only if the profile call answers 401 too', async ({
  page,
  open,
}) => {
  await announceFeatures(page, 'parcel_problems')
  await mockAnswer(page, '/api/parcel/parcels/problems', { status: 401, body: { detail: 'Not here' } })
  const answer = page.waitForResponse('**/api/parcel/parcels/problems')
  await open('/parcels', 'buyer')
  await answer
  await expect(rowsOf(page)).not.toHaveCount(0)
  await expect(page).toHaveURL(/\/parcels$/)
  await mockAnswer(page, '/parcel/auth/me', { status: 401 })
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
})

test('a regular user on /users sees neither New nor Export beside the refused list', async ({
  page,
  open,
}) => {
  await announceFeatures(page, 'exports')
  await mockAnswer(page, '/api/admin/**', { status: 403, body: { detail: 'For admins' } })
  await open('/users', 'buyer')
  await expect(page.getByRole('alert')).toContainText('For admins')
  await expect(page.getByRole('button', { name: 'New user' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Export' })).toHaveCount(0)
})

test('the parcels list mentions the unfiltered total only if a filter other than the current month is set', async ({
  page,
  open,
}) => {
  const items = [{ id: 1, orderno: 'ORD-1' }]
  await mockAnswer(page, '/api/parcel/parcels/all?*', {
    body: { items, meta: { total: 90, filtered_total: 12 } },
  })
  await open('/parcels', 'buyer')
  await expect(page.getByText('Показано 1 из 12 записей', { exact: true })).toBeVisible()
  await open('/parcels?search=ORD')
  await expect(page.getByText('Показано 1 из 12 записей (отфильтровано из 90)')).toBeVisible()
})

test('invalid days in the address are ignored, and the current month is shown', async ({
  page,
  open,
  bare,
}) => {
  for (const search of [
    'from=2026-02-31&to=2026-03-01',
    'from=yesterday&to=2026-11-21',
    'from=2026-11-21&to=2026-11-01',
  ]) {
    await open(`/parcels?${search}`, 'buyer')
    await expect(rowsOf(page)).not.toHaveCount(0)
    const { query } = bare.calls.findLast(({ path }) => path === '/api/parcel/parcels/all') ?? {}
    expect(query?.['date_from'], search).toMatch(/^\d{4}-\d{2}-01$/)
    expect(query?.['date_to']?.slice(0, 7), search).toBe(query?.['date_from']?.slice(0, 7))
  }
})

for (const [settings, ending] of [
  [{ telegram_queue: true, telegram: true }, 'Файл сохранён и будет отправлен автоматически.'],
  [{ telegram_queue: true }, 'Файл сохранён: его отправят, когда администратор настроит Telegram.'],
  [{}, undefined],
] as const) {
  test(`an upload that is stored but not sent shows a toast that says ${ending ?? 'no more than specified'}`, async ({
    page,
    open,
  }) => {
    await announceFeatures(page, settings)
    await mockAnswer(page, '/api/parcel/files/upload/', { body: { sent_to_telegram: false } })
    await open('/parcels', 'buyer')
    await page.getByRole('button', { name: 'Загрузка заказов' }).click()
    const file = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Загрузить', exact: true }).click()
    const specifiedText = 'Файл загружен, но не отправлен в Telegram: —'
    await expect(
      page.getByText(ending ? `${specifiedText}. ${ending}` : specifiedText, { exact: true }),
    ).toBeVisible()
  })
}

test('a failure on a Russian screen is shown in Russian', async ({ page, open }) => {
  const list = '/api/parcel/parcels/all?*'
  const undo = await mockAnswer(page, list, (route) => route.abort())
  await open('/parcels', 'buyer')
  await expect(page.getByRole('alert')).toContainText('Сервер недоступен.')
  await undo()
  const detail = 'Too many of your requests are in progress.'
  await mockAnswer(page, list, { status: 429, body: { detail, code: 'person_busy' } })
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Слишком много ваших запросов выполняется сразу.')
  await expect(page.getByRole('button', { name: 'Найти что угодно' })).toBeVisible()
  await open('/statistics')
  await expect(page.getByRole('button', { name: 'Период: Любой период' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Find anything' })).toBeVisible()
})

test('a period with one end in the address is shown, sent, and can be removed', async ({ page, open }) => {
  const request = page.waitForRequest(/\/report\/daily\?.*start_date=2026-11-04/)
  await open('/statistics?from=2026-11-04', 'admin')
  expect((await request).url()).not.toContain('end_date')
  await expect(page.getByRole('button', { name: 'Период: С 04.11.2026', exact: true })).toBeVisible()
  await open('/statistics?to=2026-11-04')
  await expect(page.getByRole('button', { name: 'Период: По 04.11.2026', exact: true })).toBeVisible()
  await page.getByRole('button', { name: /: Период$/ }).click()
  await expect(page.getByRole('button', { name: 'Период: Любой период', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/statistics$/)
})

test('a sign-in that gets no answer within 5 s shows the timeout in Russian', async ({ page, open }) => {
  await page.clock.install()
  const release = await holdAnswers(page, '/parcel/auth/login')
  await open('/login')
  await page.getByLabel('Имя пользователя').fill('admin')
  await page.getByLabel('Пароль', { exact: true }).fill('secret')
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page.getByText('Сервер не ответил за 5 с.')).toBeVisible()
  await release()
})

test('every column of a report is visible at 1440 px with the sidebar open', async ({ page, open }) => {
  await announceFeatures(page, 'report_rates', 'leads', 'exports', 'money')
  const figures = {
    leads: 1_234_567,
    accepted: 123_456,
    cancel: 234_567,
    recall: 123_456,
    send: 345_678,
    sold: 456_789,
  }
  const furtherFigures = { returned: 123_456, hold: 123_456, approve_rate: 0.58, buyout_rate: 1 }
  const row = { ...figures, ...furtherFigures, hold_amount: 1_234_567_890.5, profit: 9_876_543_210.5 }
  const name = 'Quloqchin simsiz bluetooth 5.3 shovqinni bekor qiluvchi'
  for (const tab of ['daily', 'offers', 'streams']) {
    const items = Array.from({ length: 10 }, (_, at) => ({
      id: at,
      name,
      date: `2026-11-${at + 10}`,
      ...row,
    }))
    await mockAnswer(page, `/api/admin/report/${tab}?*`, {
      body: { items, meta: { total: 10, totals: row } },
    })
    await open(`/statistics?tab=${tab}`, 'admin')
    await expect(page.getByRole('columnheader')).toHaveCount(13)
    await expect(page.locator('tr[data-key]')).toHaveCount(10)
    const last = await page.getByRole('columnheader').last().boundingBox()
    const main = await page.getByRole('main').boundingBox()
    const edge = (main?.x ?? 0) + (main?.width ?? 0)
    expect.soft((last?.x ?? 0) + (last?.width ?? 0), tab).toBeLessThanOrEqual(edge)
  }
})
