import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { readXlsx } from 'hucre'
import { expect, openSignedIn, test } from '../src/keyboard.ts'
import { buildLeadFile } from '../src/orders.ts'

interface ListPage {
  items: { id: number; name: string; price: number }[]
  meta: { filtered_total: number; total: number }
}

async function exportFile(page: Page, kind: 'CSV' | 'Excel'): Promise<Download> {
  const download = page.waitForEvent('download')
  await page.getByRole('main').getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: kind }).click()
  return download
}

/** The rows of a csv without quotes in it. */
const rowsOf = async (file: Download) =>
  (await readFile(await file.path(), 'utf8'))
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))

test('a csv and a workbook of a list hold all its rows, filtered and sorted like the list', async ({
  page,
  api,
}) => {
  const query = 'search=a&sort=-price'
  const offersPage = await api.call<ListPage>('GET', `/api/admin/offers/?${query}&per_page=200`)
  const names = offersPage.items.map(({ name }) => name)
  expect(names.length).toBeGreaterThan(10)
  expect(names.length).toBeLessThan(offersPage.meta.total)
  await openSignedIn(page, api, `/offers?${query}&page=2`)
  await expect(page.locator('tr[data-key]')).not.toHaveCount(0)

  const csv = await exportFile(page, 'CSV')
  const [head = [], ...rows] = await rowsOf(csv)
  expect(head[0]?.charCodeAt(0), 'a mark that Excel reads the letters by').toBe(0xfeff)
  const name = head.findIndex((title) => /^\uFEFF?name$/i.test(title))
  expect(rows.map((row) => row[name])).toEqual(names)

  const xlsx = await exportFile(page, 'Excel')
  const workbook = await readXlsx(await readFile(await xlsx.path()))
  const [titles = [], ...lines] = workbook.sheets[0]?.rows ?? []
  const column = titles.findIndex((title) => /^name$/i.test(String(title)))
  expect(lines.map((line) => line[column])).toEqual(names)
})

test('a csv of a report holds all its days', async ({ page, api }) => {
  const days = await api.call<ListPage>('GET', '/api/admin/report/daily?per_page=200')
  await openSignedIn(page, api, '/statistics')
  const file = await exportFile(page, 'CSV')
  const [, ...rows] = await rowsOf(file)
  expect(rows.length).toBeGreaterThanOrEqual(days.meta.filtered_total)
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Export finished')
})

test('an import of leads under a source shows its progress, and the list shows the leads', async ({
  page,
  api,
}) => {
  test.setTimeout(120_000)
  const { items } = await api.call<ListPage>('GET', '/api/admin/cpa-sources/?sort=name')
  const { content, name } = buildLeadFile('Лиды.csv', 0, 12_000)
  const bad = 'L-bad,2026-11-20T10:00:00+05:00,sold,a lot,Offer 1,Stream 1'
  await openSignedIn(page, api, '/leads')
  await page.getByRole('main').getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await dialog.getByRole('combobox', { name: 'Source' }).click()
  await page.getByRole('option', { name: items[0]?.name ?? '', exact: true }).click()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(`${content}\n${bad}`) })
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  const report = dialog.getByRole('status', { name: 'Result of the import' })
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  await expect.poll(() => dialog.locator('dl').innerText(), { timeout: 60_000 }).toMatch(/New\s+[1-9]/)
  await expect(report).toContainText(/New12\s000Updated0Unchanged0Skipped1/, { timeout: 90_000 })
  await expect(dialog.getByRole('region', { name: 'Rows that were skipped' })).toContainText('12001payout')
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'External id starts with' }).fill('L-11999')
  await expect(page.locator('tr[data-key]')).toHaveCount(1)
})

test('an import accepts its own template, filled in as it shows', async ({ page, api }) => {
  await openSignedIn(page, api, '/parcels')
  await page.getByRole('button', { name: 'Импорт' }).click()
  const dialog = page.getByRole('dialog', { name: 'Импорт' })
  for (const kind of ['CSV', 'Excel']) {
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: kind, exact: true }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/\.(?:csv|xlsx)$/)
    await dialog.locator('input[type=file]').setInputFiles({
      name: file.suggestedFilename(),
      mimeType: 'application/octet-stream',
      buffer: await readFile(await file.path()),
    })
    await dialog.getByRole('button', { name: 'Импортировать' }).click()
    await expect(dialog.getByRole('status', { name: 'Итог загрузки' })).toContainText('Пропущено0')
  }
})
