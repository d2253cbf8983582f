import { mockAnswer, expect, test } from '../src/bare.ts'

const count = 200
const users = Array.from({ length: count }, (_, i) => ({
  id: i + 1,
  username: `person-${i + 1}`,
  name: `Person ${i + 1}`,
  email: `person-${i + 1}@example.org`,
  role_id: 1 + (i % 2),
  role: { name: i % 2 ? 'Buyer' : 'Admin' },
  is_active: i % 3 > 0,
  created_at: '2026-11-21T10:00:00+05:00',
}))

test('a selection of one of 200 rows renders only that row', async ({ page, open }) => {
  // Each row that is drawn writes its date: the dates are counted.
  await page.addInitScript(() => {
    const counter = globalThis as unknown as { rendered: number }
    counter.rendered = 0
    // oxlint-disable-next-line typescript/unbound-method -- called with its formatter
    const { formatToParts } = Intl.DateTimeFormat.prototype
    Intl.DateTimeFormat.prototype.formatToParts = function (...at) {
      counter.rendered += 1
      return formatToParts.apply(this, at)
    }
  })
  const countRendered = () => page.evaluate(() => (globalThis as unknown as { rendered: number }).rendered)
  await mockAnswer(page, '/api/admin/users/?*', async (route) => {
    const size = Number(new URL(route.request().url()).searchParams.get('per_page'))
    const meta = { total: count, filtered_total: count, current_page: 1, per_page: size }
    await route.fulfill({ json: { items: users.slice(0, size), meta } })
  })
  await open('/users?size=200', 'admin')
  await expect(page.locator(`tbody tr[data-key="${count}"]`)).toBeVisible()
  // A later answer, such as that of the filters, may draw the rows again.
  await page.waitForLoadState('networkidle')
  const renderedBefore = await countRendered()
  expect(renderedBefore).toBeGreaterThanOrEqual(count)
  await page.locator('tr[data-key="5"] [data-select]').click()
  await expect(page.locator('tr[data-key="5"][aria-selected="true"]')).toBeVisible()
  // The row itself and a few others; all rows would be 200.
  expect((await countRendered()) - renderedBefore).toBeLessThan(10)
})
