import { createList, mockAnswer, expect, test } from '../src/bare.ts'
import { presetLanguage } from '../src/languages.ts'

test.use({ features: ['report_rates'] })

const figures = (leads: number) => ({
  leads,
  accepted: 1,
  cancel: 2,
  recall: 3,
  send: 4,
  sold: 5,
  returned: 6,
  hold: 7,
  profit: 1000,
  hold_amount: 700,
  approve_rate: 0.5,
  buyout_rate: 0.8,
})
/** Twelve groups, from 110 leads up in steps of ten. */
const groups = Array.from({ length: 12 }, (_, i) => ({
  id: i + 1,
  name: `Offer ${String.fromCharCode(65 + i)}`,
  ...figures(110 + i * 10),
}))

for (const [kind, width] of [
  ['daily', 1440],
  ['daily', 360],
  ['offers', 1440],
  ['streams', 360],
] as const) {
  test(`the chart of an empty report of ${kind} says so inside its frame, ${width} px`, async ({
    page,
    open,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await mockAnswer(page, `/api/admin/report/${kind}?*`, { body: createList() })
    await open(`/statistics?tab=${kind}`, 'admin')
    const frame = page.locator('[data-of]')
    const text = frame.getByText('No data found.', { exact: true })
    await expect(text).toBeVisible()
    const findEnd = async (place: typeof text) => {
      const box = await place.boundingBox()
      return (box?.y ?? NaN) + (box?.height ?? NaN)
    }
    expect(await findEnd(text)).toBeLessThan(await findEnd(frame))
    const icon = await frame.locator('svg').boundingBox()
    expect(icon).toMatchObject({ width: 28, height: 28 })
  })
}

for (const kind of ['offers', 'streams'] as const) {
  test(`the chart of ${kind} shows the ten with the most leads, for any sort of the table`, async ({
    page,
    open,
  }) => {
    await mockAnswer(page, `/api/admin/report/${kind}?*`, async (route) => {
      const query = new URL(route.request().url()).searchParams
      const foundGroups = groups.filter(({ name }) => name.includes(query.get('search') ?? ''))
      const sortedGroups = query.get('sort') === '-leads' ? foundGroups.toReversed() : foundGroups
      const size = Number(query.get('per_page'))
      const meta = { total: foundGroups.length, filtered_total: foundGroups.length, totals: figures(1980) }
      await route.fulfill({ json: { items: sortedGroups.slice(0, size), meta } })
    })
    await open(`/statistics?tab=${kind}`, 'admin')
    const chart = page.getByRole('img', { name: `The ${kind} with the most leads` })
    const label = `10 ${kind}, first Offer L with 220 leads; together 1 750 leads, of which 50 sold.`
    const readLabel = async () => (await chart.getAttribute('aria-label'))?.replaceAll('\u00A0', ' ')
    await expect.poll(readLabel).toContain(label)
    await expect(chart.locator('b')).toHaveText(
      ['220', '210', '200', '190', '180', '170', '160', '150', '140', '130'],
      { useInnerText: true },
    )

    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    await expect(page).toHaveURL(/sort=name/)
    await expect(page.locator('tbody tr').first()).toContainText('Offer A')
    expect(await readLabel()).toContain(label)

    await page.getByRole('searchbox').fill('Offer C')
    await expect.poll(readLabel).toContain(`1 ${kind}, first Offer C with 130 leads`)

    await presetLanguage(page, 'ru')
    await page.reload()
    const russianName = { offers: 'офферы', streams: 'потоки' }[kind]
    await expect(page.getByRole('img', { name: `Больше всего лидов: ${russianName}, ` })).toBeVisible()
  })
}

test('an offer whose name repeats has its source in the table and in the chart', async ({ page, open }) => {
  const items = [
    { id: 1, name: 'Kettle', source: { id: 1, name: '100k.uz' }, ...figures(20) },
    { id: 2, name: 'Kettle', source: { id: 2, name: 'sotuvchi.com' }, ...figures(10) },
    { id: 3, name: 'Lamp', source: null, ...figures(5) },
  ]
  const body = { items, meta: { total: 3, filtered_total: 3, totals: figures(35) } }
  await mockAnswer(page, '/api/admin/report/offers?*', { body })
  await open('/statistics?tab=offers', 'admin')
  const names = page.locator('tbody tr td:first-child')
  await expect(names).toHaveText(['Kettle100k.uz', 'Kettlesotuvchi.com', 'Lamp'])
  const bars = page.getByRole('img', { name: 'The offers with the most leads' }).locator('span')
  await expect(bars).toHaveText(['Kettle · 100k.uz', 'Kettle · sotuvchi.com', 'Lamp'])
})

test('a chosen period shows the change of each total against the preceding period of the same length', async ({
  page,
  open,
}) => {
  const periods: string[] = []
  await mockAnswer(page, '/api/admin/report/offers?*', async (route) => {
    const query = new URL(route.request().url()).searchParams
    const start = query.get('start_date') ?? ''
    periods.push(`${start} ${query.get('end_date') ?? ''} ${query.get('per_page')}`)
    const totals = start === '2026-11-04' ? { ...figures(1250), approve_rate: 0.62 } : figures(1084)
    const meta = { total: 1, filtered_total: 1, totals: start === '' ? figures(9000) : totals }
    await route.fulfill({ json: { items: groups.slice(0, 1), meta } })
  })
  await open('/statistics?tab=offers', 'admin')
  const totals = page.locator('dl[aria-label="Totals"]')
  await expect(totals).toContainText('9\u00A0000')
  await expect(totals.locator('em')).toHaveCount(0)
  expect(periods.filter((call) => call.endsWith(' 1'))).toEqual([])

  await open('/statistics?tab=offers&from=2026-11-04&to=2026-11-06', 'admin')
  await expect(totals.locator('em')).toHaveText(['+15.3%', '+12.0', '+0.0', '+0.0%'])
  expect(periods).toContain('2026-11-01 2026-11-03 1')
})
