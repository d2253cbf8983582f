import type { Page } from '@playwright/test'
import { mockAnswer, expect, stopClock, test } from '../src/bare.ts'

test.use({ expectedStatus: [404] })

const offersOf = (total: number, filteredTotal = total, size = 10) => ({
  items: Array.from({ length: Math.min(size, filteredTotal) }, (_, i) => ({
    id: i + 1,
    name: `Offer ${i + 1}`,
  })),
  meta: { total, filtered_total: filteredTotal },
})

/** The queries of a list's calls from now on, in order. */
function queriesOf(page: Page, path: string): URLSearchParams[] {
  const queries: URLSearchParams[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === path && url.searchParams.get('per_page') !== '100') queries.push(url.searchParams)
  })
  return queries
}

const offers = '/api/admin/offers/'
const rows = (page: Page) => page.locator('tr[data-key]')

test('a table shows 20 characters of a token and 30 of an address', async ({ page, open }) => {
  await open('/users?tab=source-credentials', 'admin')
  await expect(rows(page).getByText('abcdefghijklmnopqrst…', { exact: true })).toBeVisible()
  await open('/settings/cpa-websites')
  const long = 'https://networks.example.org/a/very/long/address'
  await expect(page.getByRole('link', { name: `${long.slice(0, 30)}…`, exact: true })).toHaveAttribute(
    'href',
    long,
  )
  await open('/streams')
  await expect(page.getByRole('link', { name: `${long.slice(0, 30)}…`, exact: true })).toBeVisible()
})

test("a single read without items shows 'Source credential not found'", async ({ page, open }) => {
  await mockAnswer(page, '/api/admin/source-credentials/1{,/}', { method: 'GET', body: { items: [] } })
  await open('/users?tab=source-credentials', 'admin')
  await rows(page).first().getByRole('cell').last().click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Source credential not found')
})

test('a search is sent 300 ms after the last key, and returns to page 1', async ({ page, open }) => {
  await page.clock.install()
  await mockAnswer(page, `${offers}?*`, { body: offersOf(95) })
  const queries = queriesOf(page, offers)
  await open('/offers?page=3', 'admin')
  await expect(rows(page)).toHaveCount(10)
  expect(queries.at(-1)?.get('page')).toBe('3')
  await stopClock(page)
  const before = queries.length
  await page.getByRole('searchbox').pressSequentially('la')
  await page.clock.runFor(290)
  await page.getByRole('searchbox').pressSequentially('mp')
  await page.clock.runFor(290)
  expect(queries.length).toBe(before)
  await page.clock.runFor(20)
  await expect.poll(() => queries.length).toBe(before + 1)
  expect(queries.at(-1)?.get('search')).toBe('lamp')
  expect(queries.at(-1)?.get('page')).toBe('1')
})

test('page sizes are 10, 25, 50, 100 and 200 (20 on the status lists), and a change returns to page 1', async ({
  page,
  open,
}) => {
  await mockAnswer(page, `${offers}?*`, { body: offersOf(95) })
  const queries = queriesOf(page, offers)
  await open('/offers?page=3', 'admin')
  const size = page.getByLabel('Записей на странице')
  await expect(size).toHaveValue('10')
  await expect(size.getByRole('option')).toHaveText([10, 25, 50, 100, 200].map((n) => `${n} на странице`))
  await size.selectOption('50')
  await expect.poll(() => queries.at(-1)?.get('per_page')).toBe('50')
  expect(queries.at(-1)?.get('page')).toBe('1')
  for (const tab of ['', '?tab=statuses', '?tab=source-statuses']) {
    await open(`/settings/statuses${tab}`)
    await expect(size).toHaveValue('20')
  }
})

test('the page text shows how many of how many; five pages are numbered, more are a window with ellipses', async ({
  page,
  open,
}) => {
  const pages = page.getByRole('navigation', { name: 'Страницы' })
  const expectShown = async (path: string, body: unknown, text: string, numbers: string) => {
    const undo = await mockAnswer(page, `${offers}?*`, { body })
    await open(path, 'admin')
    await expect(page.getByText(text, { exact: true })).toBeVisible()
    await expect(pages).toHaveText(numbers)
    await undo()
  }
  await expectShown('/offers', offersOf(42), 'Показано 10 из 42 записей', '12345')
  await expectShown('/offers', offersOf(120), 'Показано 10 из 120 записей', '123…12')
  await expectShown('/offers?page=6', offersOf(120), 'Показано 10 из 120 записей', '1…567…12')
  await expectShown('/offers?page=12', offersOf(120), 'Показано 10 из 120 записей', '1…101112')
  await expectShown(
    '/offers?search=x',
    offersOf(120, 4),
    'Показано 4 из 4 записей (отфильтровано из 120)',
    '1',
  )
})

test('the button of the next page keeps the focus on the last page, and then does nothing', async ({
  page,
  open,
}) => {
  await mockAnswer(page, `${offers}?*`, { body: offersOf(20) })
  await open('/offers', 'admin')
  const next = page.getByRole('button', { name: 'Следующая страница' })
  await next.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/page=2/)
  await expect(next).toHaveAttribute('aria-disabled', 'true')
  await expect(next).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Страница 2' })).toHaveAttribute('aria-current', 'page')
  const previous = page.getByRole('button', { name: 'Предыдущая страница' })
  await previous.focus()
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/page=2/)
  await expect(previous).toHaveAttribute('aria-disabled', 'true')
  await expect(previous).toBeFocused()
})

test('a sortable header sorts up, then down; the address keeps the sort, and Back undoes each step', async ({
  page,
  open,
}) => {
  await mockAnswer(page, `${offers}?*`, { body: offersOf(95) })
  const queries = queriesOf(page, offers)
  await open('/offers', 'admin')
  const head = page.getByRole('columnheader', { name: 'Name', exact: true })
  await expect(head).toHaveAttribute('aria-sort', 'none')
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await expect(page).toHaveURL(/sort=name/)
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => queries.at(-1)?.get('sort')).toBe('-name')
  await page.getByRole('button', { name: 'Страница 2' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect.poll(() => queries.at(-1)?.get('page')).toBe('2')
  await page.getByRole('combobox', { name: 'Filter by source' }).click()
  await page.getByRole('option', { name: 'Sotuvchi' }).click()
  await expect(page).toHaveURL(/source_id=2/)
  await expect(page).not.toHaveURL(/page=2/)
  await page.goBack()
  await expect(page).toHaveURL(/page=2/)
  await page.goBack()
  await expect(page).not.toHaveURL(/page=2/)
  await page.goBack()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await page.reload()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
})

test('the tab is in the query parameter tab, and without a valid one the first tab is open', async ({
  page,
  open,
}) => {
  for (const [path, names, values] of [
    ['/users', ['Users', 'Roles', 'Source credentials'], ['users', 'roles', 'source-credentials']],
    ['/settings/cpa-websites', ['Sources', 'Credentials'], ['sources', 'credentials']],
    [
      '/settings/statuses',
      ['Status types', 'Statuses', 'Source statuses'],
      ['status-types', 'statuses', 'source-statuses'],
    ],
    ['/statistics', ['Daily', 'Offers', 'Streams'], ['daily', 'offers', 'streams']],
  ] as const) {
    await open(path, 'admin')
    const tabs = page.getByRole('main').getByRole('tab')
    await expect(tabs).toHaveText([...names])
    await expect(tabs.first()).toHaveAttribute('aria-selected', 'true')
    await tabs.nth(1).click()
    await expect(page).toHaveURL(new RegExp(`${path}\\?tab=${values[1]}$`))
    await page.reload()
    await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
    await open(`${path}?tab=${values[0]}`)
    await expect(tabs.first()).toHaveAttribute('aria-selected', 'true')
    await open(`${path}?tab=nonsense`)
    await expect(tabs.first()).toHaveAttribute('aria-selected', 'true')
  }
})

test('bulk Activate and Deactivate log without a call; the form has the dedicated calls', async ({
  page,
  open,
  bare,
}) => {
  const consoleTexts: string[] = []
  page.on('console', (message) => consoleTexts.push(message.text()))
  await open('/users', 'admin')
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await expect(page.getByText('2 selected')).toBeVisible()
  const before = bare.calls.length
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await expect.poll(() => consoleTexts.join('\n')).toMatch(/Activate.*1.*2[\s\S]*Deactivate.*1.*2/)
  expect(bare.calls.slice(before)).toEqual([])
  await page.getByRole('button', { name: 'Clear' }).click()
  await rows(page).first().getByRole('cell').last().click()
  await mockAnswer(page, '/api/admin/users/1/deactivate', { body: {} })
  const call = page.waitForRequest('**/api/admin/users/1/deactivate')
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  const request = await call
  expect(request.method()).toBe('PUT')
  expect(request.postData()).toBeNull()
})

test("a select without options shows 'No options found', and an empty one 'This field is required'", async ({
  page,
  open,
}) => {
  await mockAnswer(page, '/api/admin/cpa-sources/?*', { body: [] })
  await open('/streams', 'admin')
  await page.getByRole('button', { name: 'New stream' }).click()
  await page.getByRole('combobox', { name: 'Source', exact: true }).click()
  await expect(page.getByText('No options found')).toBeVisible()
  await open('/components-demo')
  await expect(page.getByText('This field is required').first()).toBeVisible()
  await expect(page.getByText('Please select a valid option').first()).toBeVisible()
})

test('the arrow keys move between rows, Enter opens one, and closing the form returns the focus to it', async ({
  page,
  open,
}) => {
  await open('/users', 'admin')
  await rows(page).first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(rows(page).nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Username')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(rows(page).nth(1)).toBeFocused()
})

test('Back leads past a page that no longer has rows', async ({ page, open }) => {
  const lastPage = offersOf(20)
  await mockAnswer(page, `${offers}?*`, async (route) => {
    const isPast = new URL(route.request().url()).searchParams.get('page') === '9'
    await route.fulfill({ json: isPast ? { ...lastPage, items: [] } : lastPage })
  })
  await open('/streams', 'admin')
  await expect(rows(page)).not.toHaveCount(0)
  await open('/offers?page=9')
  await expect(page).toHaveURL(/\/offers\?page=2$/)
  await expect(rows(page)).toHaveCount(10)
  await page.goBack()
  await expect(page).toHaveURL(/\/streams$/)
})

test('a filter by a row beyond the first ones shows its name', async ({ page, open }) => {
  const first = { id: 1, name: 'First network' }
  await mockAnswer(page, '/api/admin/cpa-sources/?*', {
    body: { items: [first], meta: { total: 300, filtered_total: 300 } },
  })
  await mockAnswer(page, '/api/admin/cpa-sources/250{,/}', { body: { id: 250, name: 'Last network' } })
  await open('/offers?source_id=250', 'admin')
  const filter = page.getByRole('combobox', { name: /by source/i })
  await expect(filter).toHaveValue('Last network')
  await filter.click()
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options).toHaveText(['All sources', 'Last network', 'First network'])
})
