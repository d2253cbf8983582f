import { readFile } from 'node:fs/promises'
import type { Page, Request } from '@playwright/test'
import { mockAnswer, expect, holdAnswers, test, type Role } from '../src/bare.ts'
import { resourceScreens } from '../src/resources.ts'
import { startSlowFile, type SlowFile } from '../src/slow-file.ts'

test.use({ features: ['exports'] })

const exporting = (page: Page) => page.getByRole('main').getByRole('button', { name: /^(?:Export|Экспорт)$/ })
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })

async function choose(page: Page, kind: 'CSV' | 'Excel') {
  await exporting(page).click()
  await page.getByRole('menuitem', { name: kind }).click()
}

interface Screen {
  path: string
  /** The call that the export belongs to. */
  call: string
  /** The filters and the sort of the list. */
  query: Record<string, string>
}

const period = 'from=2026-11-01&to=2026-11-30'
const days = { start_date: '2026-11-01', end_date: '2026-11-30' }
const report = (tab: string, query: string) => `/statistics?tab=${tab}&${period}&source_id=1&${query}`
const reports = (base: string): Screen[] => {
  const narrowFilters = { ...days, source_id: '1' }
  const namedFilters = { ...narrowFilters, search: 'a', sort: 'leads' }
  return [
    {
      path: report('daily', 'sort=profit'),
      call: `${base}/daily`,
      query: { ...narrowFilters, sort: 'profit' },
    },
    { path: report('offers', 'search=a&sort=leads'), call: `${base}/offers`, query: namedFilters },
    { path: report('streams', 'search=a&sort=leads'), call: `${base}/streams`, query: namedFilters },
  ]
}
const screens: Record<Role, Screen[]> = {
  admin: [
    ...resourceScreens.map(({ path, list, plural }) => ({
      path: `${path}${path.includes('?') ? '&' : '?'}search=a&sort=-name&page=2&size=25`,
      call: list,
      query: { [plural === 'streams' ? 'name' : 'search']: 'a', sort: '-name' },
    })),
    ...reports('/api/admin/report'),
  ],
  buyer: [
    {
      path: '/parcels?from=2026-11-01&to=2026-11-20&status=DELIVERED&search=7&sort=town&page=2',
      call: '/api/parcel/parcels/all',
      query: {
        date_from: '2026-11-01',
        date_to: '2026-11-20',
        status: 'DELIVERED',
        orderno: '7',
        sort: 'town',
      },
    },
    ...reports('/api/user/report'),
  ],
}

for (const role of ['admin', 'buyer'] as const) {
  test(`an export by the role '${role}' has the filters and the sort of the list or report, and all its pages`, async ({
    page,
    open,
  }) => {
    test.setTimeout(120_000)
    const content = '\uFEFFname\nЛампа\n'
    const requests: Request[] = []
    await page.route(
      (url) => url.searchParams.has('format'),
      async (route) => {
        requests.push(route.request())
        await route.fulfill({ contentType: 'text/csv', body: content })
      },
    )
    for (const { path, call, query } of screens[role]) {
      await open(path, role)
      const [file] = await Promise.all([page.waitForEvent('download'), choose(page, 'CSV')])
      const request = requests.pop()
      const url = new URL(request?.url() ?? '')
      expect(url.pathname, path).toBe(call)
      expect(Object.fromEntries(url.searchParams), path).toEqual({ ...query, format: 'csv' })
      expect(await request?.headerValue('authorization'), path).toBe(`Bearer token-of-${role}`)
      expect(file.suggestedFilename(), path).toMatch(/^[a-z-]+\.csv$/)
      expect(await readFile(await file.path(), 'utf8')).toBe(content)
    }
  })
}

test('the export menu works by keyboard, and the focus returns to its button', async ({ page, open }) => {
  await open('/offers', 'admin')
  const button = exporting(page)
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'CSV' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(button).toBeFocused()
  await page.route('**/api/admin/offers/?*format=xlsx*', (route) =>
    route.fulfill({
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      headers: { 'content-disposition': "attachment; filename*=UTF-8''%D0%9B%D0%B0%D0%BC%D0%BF%D1%8B.xlsx" },
      body: 'PK',
    }),
  )
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Excel' })).toBeFocused()
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(file.suggestedFilename()).toBe('Лампы.xlsx')
  await expect(button).toBeFocused()
  await expect(toasts(page).getByText('Export finished')).toBeVisible()
})

test.describe('Slow exports', () => {
  let slow: SlowFile
  test.beforeEach(async ({ page }) => {
    slow = await startSlowFile('offers.csv')
    await page.clock.install()
    await page.route(
      (url) => url.searchParams.has('format'),
      (route) => route.continue({ url: slow.url }),
    )
  })
  test.afterEach(() => slow.close())

  test('an export may take longer than a call, shows the received size, and continues on another screen', async ({
    page,
    open,
  }) => {
    await open('/offers', 'admin')
    await choose(page, 'CSV')
    await expect(toasts(page).getByText('Exporting offers.csv')).toBeVisible()
    await expect.poll(() => slow.countOpen()).toBe(1)
    slow.send('x'.repeat(3000))
    await expect(toasts(page).getByText('3 kB so far')).toBeVisible()
    await page.clock.runFor(20_000)
    slow.send('x'.repeat(1_200_000))
    await expect(toasts(page).getByText('1.2 MB so far')).toBeVisible()
    await page.clock.runFor(20_000)
    await page.getByRole('link', { name: 'Streams' }).first().click()
    await expect(page).toHaveURL(/streams/)
    await expect(toasts(page).getByText('Exporting offers.csv')).toBeVisible()
    const download = page.waitForEvent('download')
    slow.end()
    const file = await download
    expect((await readFile(await file.path())).length).toBe(1_203_000)
    await expect(toasts(page).getByText('offers.csv, 1.2 MB')).toBeVisible()
    await expect(toasts(page).getByText('Exporting offers.csv')).toHaveCount(0)
  })

  test('Cancel stops an export, saves nothing, and returns the focus', async ({ page, open }) => {
    let savedCount = 0
    page.on('download', () => (savedCount += 1))
    await open('/offers', 'admin')
    await choose(page, 'CSV')
    await expect.poll(() => slow.countOpen()).toBe(1)
    slow.send('some')
    const cancel = toasts(page).getByRole('button', { name: 'Cancel' })
    await exporting(page).focus()
    await cancel.focus()
    await page.keyboard.press('Enter')
    await expect(cancel).toHaveCount(0)
    await expect.poll(() => slow.countOpen(), 'the server notices it').toBe(0)
    await expect(exporting(page)).toBeFocused()
    await expect(toasts(page).getByText('Export failed')).toHaveCount(0)
    expect(savedCount).toBe(0)
  })

  test('an export that ends while its button has the focus returns the focus', async ({ page, open }) => {
    await open('/offers', 'admin')
    await choose(page, 'CSV')
    await expect.poll(() => slow.countOpen()).toBe(1)
    await exporting(page).focus()
    const cancel = toasts(page).getByRole('button', { name: 'Cancel' })
    await cancel.focus()
    const download = page.waitForEvent('download')
    slow.send('some')
    slow.end()
    await download
    await expect(cancel).toHaveCount(0)
    await expect(exporting(page)).toBeFocused()
  })

  test('an export without data for 30 seconds ends with an error', async ({ page, open }) => {
    await open('/offers', 'admin')
    await choose(page, 'CSV')
    await expect.poll(() => slow.countOpen()).toBe(1)
    slow.send('some')
    await expect(toasts(page).getByText('1 kB so far')).toBeVisible()
    await page.clock.runFor(22_000)
    await expect(toasts(page).getByText('Exporting offers.csv')).toBeVisible()
    await page.clock.runFor(9000)
    await expect(toasts(page).getByText('The server sent nothing for 30 seconds.')).toBeVisible()
    await expect.poll(() => slow.countOpen()).toBe(0)
  })

  test('a sign-out cancels a running export', async ({ page, open }) => {
    await open('/offers', 'admin')
    await choose(page, 'CSV')
    await expect.poll(() => slow.countOpen()).toBe(1)
    await page.getByRole('button', { name: /profile and sign out/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/login/)
    await expect.poll(() => slow.countOpen()).toBe(0)
    await expect(toasts(page).getByText('Exporting offers.csv')).toHaveCount(0)
  })
})

test.describe('Failed exports', () => {
  test.use({ expectedStatus: [404, 422, 401] })

  test("a failed export shows the server's reason, or that the host offers no files", async ({
    page,
    open,
  }) => {
    await open('/offers', 'admin')
    const undo = await mockAnswer(page, '/api/admin/offers/?*format=csv*', {
      status: 422,
      body: { detail: 'sort must be one of the columns' },
    })
    await choose(page, 'CSV')
    const toast = toasts(page).getByRole('alert')
    await expect(toast).toContainText('Export failed')
    await expect(toast).toContainText('sort must be one of the columns')
    await undo()
    // This host has no exports and answers the list.
    await choose(page, 'Excel')
    await expect(toast.last()).toContainText('This server does not offer this file.')
  })

  test('an export that gets 401 leads to the sign-in', async ({ page, open }) => {
    await open('/offers', 'admin')
    await mockAnswer(page, '/api/admin/offers/?*format=csv*', { status: 401, body: { detail: 'Sign in.' } })
    await choose(page, 'CSV')
    await expect(page).toHaveURL(/login/)
  })
})

test('an export on the parcels screen shows its texts in the language of that screen', async ({
  page,
  open,
}) => {
  await open('/parcels', 'buyer')
  const release = await holdAnswers(page, '/api/parcel/parcels/all?*format=csv*')
  await choose(page, 'CSV')
  await expect(toasts(page).getByText('Экспорт: parcels.csv')).toBeVisible()
  await expect(toasts(page).getByRole('button', { name: 'Отмена' })).toBeVisible()
  await release()
  await expect(toasts(page).getByText('Xatolik')).toBeVisible()
})
