import type { Page } from '@playwright/test'
import { mockAnswer, expect, test } from '../src/bare.ts'

// Traces take screenshots, which would be measured too.
test.use({ trace: 'off', screenshot: 'off' })

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

interface Step {
  /** Clicks the element, chooses `value` in it, or goes back if there is no element. */
  on?: string
  value?: string
  /** The step is done when this is in the page, or when it is removed. */
  until: string
  isRemoved?: boolean
}

const lastRow = `tbody tr[data-key="${count}"]`
const steps = {
  rowsArrive: { on: 'select[aria-label="Записей на странице"]', value: String(count), until: lastRow },
  leave: { on: 'a[href="/offers"]', until: 'table[aria-label="Offers"]' },
  mount: { until: lastRow },
  one: { on: 'tr[data-key="5"] [data-select]', until: 'tr[data-key="5"][aria-selected="true"]' },
  all: { on: 'thead [type="checkbox"]', until: `${lastRow}[aria-selected="true"]` },
  none: { on: 'thead [type="checkbox"]', until: 'tr[aria-selected="true"]', isRemoved: true },
} satisfies Record<string, Step>
type Name = keyof typeof steps

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of processor time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** The milliseconds of processor time of the longest task of the page's main thread while `act` runs. Other load does not count. */
async function measureLongestTask(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser')
  await browser.startTracing(page, { categories: ['toplevel'] })
  await act()
  // An answer of the page can come before its task ends.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const nameThread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(nameThread),
  )
  const tasks = traceEvents.filter((event) => event.ph === 'X' && mainThreads.has(nameThread(event)))
  if (tasks.length === 0) throw new Error('The trace has no task of the page')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}

/** Takes a step inside the page, so that the browser's driver adds nothing. The page is idle afterwards. */
const take = (page: Page, step: Step): Promise<void> =>
  page.evaluate(async ({ on, value, until, isRemoved = false }) => {
    const element = on === undefined ? null : document.querySelector<HTMLElement>(on)
    if (on !== undefined && !element) throw new Error(`There is no ${on}`)
    const start = performance.now()
    if (element instanceof HTMLSelectElement && value !== undefined) {
      element.value = value
      element.dispatchEvent(new Event('change', { bubbles: true }))
    } else if (element) element.click()
    else history.back()
    while ((document.querySelector(until) === null) !== isRemoved) {
      if (performance.now() - start > 60_000) throw new Error(`Waited for ${until} for nothing`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await new Promise((resolve) => setTimeout(resolve, 150))
  }, step)

/** Draws twice as many plain rows in one task. The tasks of the page are compared with it. */
const drawPlainRows = (page: Page): Promise<void> =>
  page.evaluate((rows) => {
    const table = document.createElement('table')
    for (let n = 0; n < rows; n += 1) {
      const row = table.insertRow()
      for (let cell = 0; cell < 7; cell += 1) row.insertCell().textContent = `Cell ${cell} of ${n}`
    }
    document.body.append(table)
    table.getBoundingClientRect()
    table.remove()
  }, 2 * count)

const serveUsers = (page: Page) =>
  mockAnswer(page, '/api/admin/users/?*', async (route) => {
    const size = Number(new URL(route.request().url()).searchParams.get('per_page'))
    const meta = { total: count, filtered_total: count, current_page: 1, per_page: size }
    await route.fulfill({ json: { items: users.slice(0, size), meta } })
  })

test('a list of 200 rows mounts and selects without a long task', async ({ page, open }) => {
  await serveUsers(page)
  const names = ['rowsArrive', 'leave', 'mount', 'one', 'all', 'none'] as const
  const openList = async () => {
    await open('/users', 'admin')
    await expect(page.locator('tbody tr[data-key]')).toHaveCount(10)
  }
  // The first time, the browser compiles the code.
  await openList()
  for (const name of names) await take(page, steps[name])
  const rounds: Record<Name | 'plain', number>[] = []
  while (rounds.length < 3) {
    await openList()
    await drawPlainRows(page)
    const round = {
      plain: await measureLongestTask(page, () => drawPlainRows(page)),
    } as (typeof rounds)[number]
    for (const name of names) round[name] = await measureLongestTask(page, () => take(page, steps[name]))
    rounds.push(round)
  }
  // Other tests share the processor, so one measurement says little.
  const median = (name: Name | 'plain') =>
    rounds.map((round) => round[name]).toSorted((a, b) => a - b)[1] ?? 0
  const plain = median('plain')
  const figures: Partial<Record<Name, number>> = {}
  for (const name of names) figures[name] = median(name) / plain
  test.info().annotations.push({ type: `times of ${plain} ms`, description: JSON.stringify(figures) })
  for (const [name, longest] of Object.entries(figures))
    expect.soft(longest, `longest task of "${name}", in times of the plain rows`).toBeLessThan(2)
})

test('a selection of one of 200 rows renders that row alone', async ({ page, open }) => {
  // Each row that is drawn writes its date: those are counted.
  await page.addInitScript(() => {
    const counter = globalThis as unknown as { written: number }
    counter.written = 0
    // oxlint-disable-next-line typescript/unbound-method -- called with the formatter that was meant
    const { formatToParts } = Intl.DateTimeFormat.prototype
    Intl.DateTimeFormat.prototype.formatToParts = function (...at) {
      counter.written += 1
      return formatToParts.apply(this, at)
    }
  })
  const written = () => page.evaluate(() => (globalThis as unknown as { written: number }).written)
  await serveUsers(page)
  await open('/users?size=200', 'admin')
  await expect(page.locator(lastRow)).toBeVisible()
  const rowsBefore = await written()
  expect(rowsBefore).toBeGreaterThanOrEqual(count)
  await page.locator(steps.one.on).click()
  await expect(page.locator(steps.one.until)).toBeVisible()
  // The row itself and a few others; all rows would be 200.
  expect((await written()) - rowsBefore).toBeLessThan(10)
})

test('the measurement finds a long task in a step', async ({ page, open }) => {
  await open('/users', 'admin')
  await expect(page.locator('tbody tr[data-key]')).not.toHaveCount(0)
  await drawPlainRows(page)
  const plain = await measureLongestTask(page, () => drawPlainRows(page))
  await page.evaluate((rows) => {
    document.querySelector('a[href="/offers"]')?.addEventListener('click', () => {
      for (let time = 0; time < 4; time += 1) {
        const table = document.createElement('table')
        for (let n = 0; n < rows; n += 1) {
          const row = table.insertRow()
          for (let cell = 0; cell < 7; cell += 1) row.insertCell().textContent = `Cell ${cell} of ${n}`
        }
        document.body.append(table)
        table.getBoundingClientRect()
        table.remove()
      }
    })
  }, 2 * count)
  expect(await measureLongestTask(page, () => take(page, steps.leave))).toBeGreaterThan(2 * plain)
})
