import { mockAnswer, expect, test } from '../src/bare.ts'

test.use({ expectedStatus: [404, 500] })

const figures = ['Leads', 'Accepted', 'Rejected', 'Recall', 'Sent', 'Sold', 'Returned', 'Hold']
const tabs = [
  { tab: 'daily', first: 'Date', row: '21.11.2026' },
  { tab: 'offers', first: 'Name', row: 'Kettle' },
  { tab: 'streams', first: 'Name', row: 'Autumn' },
]

for (const { tab, first, row } of tabs) {
  test(`${tab}: the report has its columns, shows cancel as Rejected, and has its failure text`, async ({
    page,
    open,
  }) => {
    await open(`/statistics?tab=${tab}`, 'admin')
    const headers = page.getByRole('columnheader')
    await expect(headers.first()).toHaveText(first)
    for (const name of [...figures, 'Profit']) {
      await expect(page.getByRole('columnheader', { name, exact: true })).toHaveCount(1)
    }
    await expect(headers.filter({ hasText: 'Cancel' })).toHaveCount(0)
    const cells = page.getByRole('row').filter({ hasText: row }).getByRole('cell')
    await expect(cells.first()).toHaveText(row)
    // Leads, accepted, cancel, recall, send, sold, returned, hold: in the columns' order.
    for (const [at, count] of [40, 5, 7, 3, 6, 11, 4, 2].entries()) {
      await expect(cells.nth(at + 1), figures[at]).toHaveText(String(count))
    }
    await mockAnswer(page, `/api/admin/report/${tab}?*`, {
      status: 500,
      body: { detail: 'The database is away' },
    })
    await page.reload()
    await expect(page.getByRole('alert')).toContainText(
      `Failed to load ${tab} statistics. Please try again later.`,
    )
    await expect(page.getByRole('alert')).toContainText('The database is away')
  })

  for (const [role, scope, otherScope] of [
    ['admin', 'admin', 'user'],
    ['buyer', 'user', 'admin'],
  ] as const) {
    test(`${tab}: the stored role ${role} calls only the ${scope} reports`, async ({ page, open, bare }) => {
      const before = bare.calls.length
      await open(`/statistics?tab=${tab}`, role)
      await expect(page.getByRole('row').filter({ hasText: row })).toBeVisible()
      const paths = bare.calls.slice(before).map(({ path }) => path)
      expect(paths).toContain(`/api/${scope}/report/${tab}`)
      expect(paths.filter((path) => path.startsWith(`/api/${otherScope}/report/`))).toEqual([])
    })
  }
}

test('source, period and search are sent to the report calls that have them', async ({
  page,
  open,
  bare,
}) => {
  await page.clock.setSystemTime(new Date('2026-11-21T10:00:00+05:00'))
  await open('/statistics?tab=offers', 'admin')
  const last = () => bare.calls.findLast(({ path }) => path === '/api/admin/report/offers')?.query
  await page.getByRole('combobox', { name: 'Source' }).click()
  await page.getByRole('option', { name: '100k.uz' }).click()
  await expect.poll(() => last()?.['source_id']).toBe('1')
  await page.getByRole('searchbox').fill('ket')
  await expect.poll(() => last()?.['search']).toBe('ket')
  const request = page.waitForRequest(/report\/offers\?.*start_date=2026-11-20&end_date=2026-11-20/)
  await page.getByRole('button', { name: /^Период/ }).click()
  const days = page.getByPlaceholder('дд.мм.гггг')
  await expect(days).toHaveCount(2)
  for (const day of await days.all()) await expect(day).toHaveValue('')
  await page.getByRole('button', { name: 'Вчера' }).click()
  const query = new URL((await request).url()).searchParams
  expect(query.get('search')).toBe('ket')
  expect(query.get('source_id')).toBe('1')
  await open('/statistics')
  await expect(page.getByRole('searchbox')).toHaveCount(0)
})
