import type { Page } from '@playwright/test'
import { mockAnswer, expect, test } from '../src/bare.ts'
import { presetLanguage } from '../src/languages.ts'
import { expectNoHorizontalScroll } from '../src/test.ts'

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

/** Whether the table fits its card. A table that does not fit scrolls inside the card or sticks out of it. */
const tableOverflow = (page: Page) =>
  page.locator('table').evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0))

test.describe('Sessions', () => {
  test.use({ features: ['sessions'] })

  for (const language of ['', 'uz', 'ru', 'en'] as const) {
    test(`the sessions fit 1440 px and name browser and system (language '${language}')`, async ({
      page,
      open,
    }) => {
      const time = '2026-11-21T09:42:00+05:00'
      const items = ['Abdulaziz Abdurahmonov', 'Admin'].map((name, index) => ({
        id: index + 1,
        user_id: index + 1,
        username: name.toLowerCase().replace(' ', '.'),
        user: { id: index + 1, name },
        current: index === 1,
        user_agent: userAgent,
        address: '2001:db8:85a3:1234:5678:8a2e:370:7334',
        last_used_at: time,
        created_at: time,
        expires_at: time,
      }))
      await mockAnswer(page, '/api/admin/sessions/?*', {
        body: { items, meta: { total: 2, filtered_total: 2 } },
      })
      if (language !== '') await presetLanguage(page, language)
      await open('/sessions', 'admin')
      const device = page.locator('tbody').getByText('Chrome 141, Windows').first()
      await expect(device).toBeVisible()
      await expect(page.locator(`[title="${userAgent}"]`).first()).toBeVisible()
      await expectNoHorizontalScroll(page)
      expect(await tableOverflow(page)).toBeLessThanOrEqual(0)
    })
  }
})

const figures = {
  leads: 1_234_567,
  accepted: 123_456,
  cancel: 123_456,
  recall: 123_456,
  send: 123_456,
  sold: 123_456,
  returned: 123_456,
  hold: 123_456,
  profit: 1_234_567_890.5,
  hold_amount: 1_234_567_890.5,
  approve_rate: 0.581,
  buyout_rate: 0.581,
}

const parcels = ['Выдан курьеру на доставку', 'Доставлен'].map((title, index) => ({
  id: index + 1,
  orderno: `EX-997698${index}`.padEnd(index === 0 ? 0 : 40, '7'),
  barcode: `BEX-997698${index}`,
  date: '2026-11-21',
  status: { code: 'IN_TRANSIT', title, eventtime: '2026-11-21T09:42:00+05:00' },
  package: { type_name: '2', weight: 12.5, quantity: 1, service_name: null, delivery_price: 120_000 },
  receiver: {
    person: 'Севара Исмоилова, склад № 2 торгового дома «Самарканд Дарвоза»',
    company: null,
    phone: '+998 90 997-69-82',
    address: null,
    town: 'Самарканд, посёлок имени Мирзо Улугбека',
  },
  cod_amount: 1_918_000,
  pay_type: 'CASH',
  currency: 'UZS',
}))

test.describe('Reports', () => {
  test.use({ features: ['report_rates', 'leads'] })

  for (const language of ['', 'uz', 'ru', 'en'] as const) {
    test(`the streams report fits 1440 px beside the sidebar, and a printed page (language '${language}')`, async ({
      page,
      open,
    }) => {
      const items = [`${'Autumn campaign of the second team'.repeat(2)}${'x'.repeat(60)}`, 'Stream'].map(
        (name, index) => ({ id: index + 1, name, ...figures }),
      )
      await mockAnswer(page, '/api/admin/report/streams?*', {
        body: { items, meta: { total: 2, filtered_total: 2, totals: figures } },
      })
      if (language !== '') await presetLanguage(page, language)
      await open('/statistics?tab=streams', 'admin')
      await expect(page.locator('tbody tr[data-key]')).toHaveCount(2)
      await expectNoHorizontalScroll(page)
      expect(await tableOverflow(page)).toBeLessThanOrEqual(0)

      // A4 in pixels of CSS.
      await page.emulateMedia({ media: 'print' })
      await page.setViewportSize({ width: 794, height: 1123 })
      const isCut = () =>
        page
          .locator('table')
          .evaluate((table) => table.getBoundingClientRect().width > (table.parentElement?.clientWidth ?? 0))
      await expect.poll(isCut).toBe(false)
      await expect(page.locator('tfoot')).toHaveCSS('display', 'table-row-group')

      // On a phone a long name takes three lines.
      await page.emulateMedia({ media: null })
      await page.setViewportSize({ width: 360, height: 740 })
      const name = page.locator('tbody').getByTitle(items[0]?.name ?? '')
      await expect.poll(async () => (await name.boundingBox())?.height).toBeLessThan(70)
    })
  }

  test('the daily chart has value axes with round ticks and labels', async ({ page, open }) => {
    const day = (date: string, leads: number, profit: number) => ({
      ...figures,
      date,
      leads,
      profit,
      accepted: 0,
      cancel: 0,
      recall: 0,
      send: 0,
      sold: leads,
      returned: 0,
      hold: 0,
    })
    const items = [day('2026-11-21', 37, 1_700_000), day('2026-11-20', 12, 250_000)]
    await mockAnswer(page, '/api/admin/report/daily?*', {
      body: { items, meta: { total: 2, filtered_total: 2, totals: figures } },
    })
    await open('/statistics', 'admin')
    const axis = (side: string) => page.locator(`[data-side="${side}"]`).filter({ hasText: /0/ })
    await expect(axis('left').locator('span')).toHaveText(['Leads', '0', '10', '20', '30', '40'])
    await expect(axis('right').locator('span')).toHaveText([
      'Profit',
      '0',
      /^500.000$/,
      /^1.000.000$/,
      /^1.500.000$/,
      /^2.000.000$/,
    ])
    await expectNoHorizontalScroll(page)
  })
})

for (const features of [[], ['cash_on_delivery']] as const)
  test.describe(`Parcels with ${features.join('') || 'the specified fields'}`, () => {
    test.use({ features })

    test('the parcels fit beside the detail of one of them for a regular user', async ({ page, open }) => {
      await page.setViewportSize({ width: 1440, height: 900 })
      await mockAnswer(page, '/api/parcel/parcels/all?*', {
        body: { items: parcels, meta: { total: 2, filtered_total: 2 } },
      })
      await mockAnswer(page, '/api/parcel/parcels/1', { body: parcels[0] })
      await open('/parcels', 'buyer')
      await page.locator('tr[data-key]').first().click()
      const detail = page.getByRole('complementary')
      await expect(detail.getByRole('term').filter({ hasText: 'Адрес' })).toBeVisible()
      // A number is a code of the courier without a name.
      await expect(detail.getByRole('term').filter({ hasText: 'Тип' })).toHaveCount(0)
      await expect(page.getByRole('columnheader', { name: 'Город' })).toBeVisible()
      expect(await tableOverflow(page)).toBeLessThanOrEqual(0)
    })
  })

test.describe('Statements', () => {
  test.use({ features: ['payouts'] })

  for (const language of ['uz', 'ru'] as const)
    test(`the statements fit 1440 px beside the sidebar (language '${language}')`, async ({ page, open }) => {
      const admin = { id: 1, name: 'Admin' }
      const sums = { opening: 4_443_600, earned: 9_121_650, reversed: -43_200, fees: -180_000, adjusted: 0 }
      const row = { ...sums, paid: -8_300_000, closing: 5_222_050, currency: 'UZS', entries: 199 }
      const period = {
        start_date: '2026-10-01',
        end_date: '2026-10-31',
        closed_at: '2026-11-01T09:00:00+05:00',
      }
      const items = [
        { id: 1, user: { id: 2, name: 'Malika To‘xtayeva' }, closed_by: admin, ...row, ...period },
      ]
      await mockAnswer(page, '/api/admin/statements/?*', {
        body: { items, meta: { total: 1, filtered_total: 1 } },
      })
      await page.setViewportSize({ width: 1440, height: 900 })
      await presetLanguage(page, language)
      await open('/settlements?tab=statements', 'admin')
      await expect(page.locator('tr[data-key]').getByRole('link', { name: '199' })).toBeVisible()
      expect(await tableOverflow(page)).toBeLessThanOrEqual(0)
    })
})

test.describe('Leads', () => {
  test.use({ features: ['leads'] })

  for (const language of ['ru', 'uz'] as const)
    test(`leads with long names fit 1440 px beside the sidebar, on one line (language '${language}')`, async ({
      page,
      open,
    }) => {
      const name = { id: 1, name: `${'Oʻzbekiston boʻylab '.repeat(3)}${'x'.repeat(40)}` }
      const lead = {
        id: 1,
        external_id: '9'.repeat(40),
        created_at: '2026-11-21T09:42:00+05:00',
        source: name,
        offer: name,
        stream: name,
        source_status: 'client_returned',
        status: null,
        column: null,
        payout: 1_000_000_000,
        currency: 'USD',
      }
      await mockAnswer(page, '/api/admin/leads/?*', {
        body: { items: [lead, { ...lead, id: 2, offer: null }], meta: { total: 2, filtered_total: 2 } },
      })
      await page.setViewportSize({ width: 1440, height: 900 })
      await presetLanguage(page, language)
      await open('/leads', 'admin')
      await expect(page.locator(`tr[data-key] [title="${name.name}"]`)).toHaveCount(5)
      expect(await tableOverflow(page)).toBeLessThanOrEqual(0)
      expect(
        await page
          .locator('tr[data-key]')
          .first()
          .evaluate((row) => row.clientHeight),
      ).toBeLessThan(45)
    })
})

test('offers and streams with long names fit 1440 px beside the sidebar', async ({ page, open }) => {
  const long = `${'Oʻzbekiston boʻylab '.repeat(3)}${'x'.repeat(40)}`
  const reference = { id: 1, name: long }
  const names = { name: long, store_name: long, offer_name: long }
  const row = { id: 1, ...names, source_id: 1, source: reference, user_id: 1, user: reference, price: 1e9 }
  const body = { items: [{ ...row, status_id: null, status: null }], meta: { total: 1, filtered_total: 1 } }
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const path of ['/streams', '/offers'])
    await test.step(path, async () => {
      await mockAnswer(page, `/api/admin${path}/?*`, { body })
      await open(path, 'admin')
      await expect(page.locator(`tr[data-key] [title="${long}"]`).first()).toBeVisible()
      expect(await tableOverflow(page)).toBeLessThanOrEqual(0)
    })
  // An offer without a status has no badge.
  await expect(page.locator('tr[data-key] [data-tone]')).toHaveCount(0)
})

test.describe('Syncs', () => {
  test.use({ features: ['fetching'] })

  test('a run with long reasons keeps its status on one line, in Uzbek', async ({ page, open }) => {
    const time = '2026-11-21T09:42:00+05:00'
    const timeout = { code: 'host_timeout', message: 'Late.', params: { host: 'api.network.example' } }
    const reasons = ['orders', 'finance', 'all_orders'].map((part) => ({ part, ...timeout }))
    const run = { id: 1, status: 'failed', started_at: time, finished_at: time, part: null, page: null }
    const lastRun = { ...run, counts: { rows: 1_234_567 }, error: 'Late.', reasons }
    const health = {
      running: false,
      next_run_at: time,
      failures: 1,
      paused_until: null,
      pause_reason: null,
      gap: null,
      balance: null,
      hold: null,
      money_at: null,
      last_run: lastRun,
    }
    const item = { id: 1, name: 'Account', login: 'login', created_at: time, updated_at: time, health }
    const meta = { total: 1, filtered_total: 1 }
    await mockAnswer(page, '/api/admin/source-credentials/?*', { body: { items: [item], meta } })
    await mockAnswer(page, '/api/admin/sync-runs/?*', { body: { items: [lastRun], meta } })
    await page.setViewportSize({ width: 1440, height: 900 })
    await presetLanguage(page, 'uz')
    await open('/users?tab=source-credentials', 'admin')
    await page.getByRole('button', { name: /Ishga tushirishlar/ }).press('Enter')
    const row = page.getByRole('dialog').locator('tr[data-key]')
    await expect(row).toContainText('buyurtmalar: api.network.example vaqtida javob bermadi.')
    const badge = row.getByText('Xatolik', { exact: true })
    await expect.poll(async () => (await badge.boundingBox())?.height).toBeLessThan(30)
  })
})
