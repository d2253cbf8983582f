import {
  createList,
  mockAnswer,
  expect,
  expectWhileClockRuns,
  runClockUntil,
  stopClock,
  test,
} from '../src/bare.ts'

test.use({ features: ['parcel_problems'] })

test('the open parcel reloads with the list', async ({ page, open }) => {
  let calls = 0
  const status = (title: string) => ({ code: 'PENDING', title, eventtime: '2026-11-21T09:42:00+05:00' })
  const row = (title: string) => ({ id: 1, orderno: 'ORD-1', date: '2026-11-21', status: status(title) })
  await mockAnswer(page, '/api/parcel/parcels/all?*', async (route) => {
    calls += 1
    await route.fulfill({ json: createList(row(calls === 1 ? 'Ожидает' : 'Доставлен')) })
  })
  await mockAnswer(page, '/api/parcel/parcels/1', async (route) => {
    await route.fulfill({ json: row(calls === 1 ? 'Ожидает' : 'Доставлен') })
  })
  await page.clock.install()
  await open('/parcels?id=1', 'admin')
  const detail = page.getByRole('complementary')
  await expect(detail).toContainText('Ожидает')
  await stopClock(page)
  await runClockUntil(page, () => calls === 2)
  await expectWhileClockRuns(page, async () => {
    await expect(page.locator('tr[data-key="1"]')).toContainText('Доставлен', { timeout: 1 })
    await expect(detail).toContainText('Доставлен', { timeout: 1 })
  })
})

test('the parcels list and its counts reload together, by time and on focus, and keep the scroll position', async ({
  page,
  open,
}) => {
  let listCalls = 0
  let countCalls = 0
  const row = (id: number) => ({
    id,
    orderno: `ORD-${id}`,
    date: '2026-11-21',
    status: { code: 'PENDING', title: 'Ожидает', eventtime: '2026-11-21T09:42:00+05:00' },
  })
  await mockAnswer(page, '/api/parcel/parcels/all?*', async (route) => {
    listCalls += 1
    const items = Array.from({ length: 50 }, (_, index) => row(index + 1))
    const first = { ...row(1), orderno: `ORD-${listCalls}` }
    await route.fulfill({
      json: {
        items: [first, ...items.slice(1)],
        meta: { total: 50, filtered_total: 50, status_counts: { PENDING: 50 + listCalls } },
      },
    })
  })
  await mockAnswer(page, '/api/parcel/parcels/problems*', async (route) => {
    countCalls += 1
    await route.fulfill({ json: { any: countCalls } })
  })
  const expectCalls = (count: number) =>
    expectWhileClockRuns(page, () => expect([listCalls, countCalls]).toEqual([count, count]))
  const expectOrder = (orderno: string) =>
    expectWhileClockRuns(page, () =>
      expect(page.locator('tr[data-key="1"]')).toContainText(orderno, { timeout: 1 }),
    )
  await page.clock.install()
  await open('/parcels?size=50', 'admin')
  await expect(page.locator('tr[data-key="1"]')).toContainText('ORD-1')
  await expect.poll(() => countCalls).toBe(1)
  await page.mouse.wheel(0, 600)
  const scroll = 600
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scroll)
  await stopClock(page)

  await runClockUntil(page, () => listCalls === 2)
  await expectCalls(2)
  await expectOrder('ORD-2')
  expect(await page.evaluate(() => window.scrollY)).toBe(scroll)

  await page.clock.runFor(20_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expectCalls(3)
  await expectOrder('ORD-3')
  expect(await page.evaluate(() => window.scrollY)).toBe(scroll)
})
