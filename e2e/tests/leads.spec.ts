import type { Page } from '@playwright/test'
import { openSignedIn, pressOn, tabTo } from '../src/keyboard.ts'
import { knownLeads, chooseOption, expectLeads, type KnownLeads } from '../src/leads.ts'
import { mockAnswer } from '../src/bare.ts'
import { expect, signIn, test as base } from '../src/test.ts'

const test = base.extend<object, { known: KnownLeads }>({ known: knownLeads })

const rows = (page: Page) => page.locator('tr[data-key]')
const figure = (page: Page, row: string, column: number) =>
  page.getByRole('row').filter({ hasText: row }).getByRole('cell').nth(column)

test('filters, search, sort and pages of the leads are in the URL, and Back undoes each', async ({
  page,
  api,
  known,
}) => {
  await openSignedIn(page, api, '/leads')
  await expectLeads(page, 20)
  await expect(rows(page).filter({ hasText: 'A-50' })).toContainText('500.25')
  await chooseOption(page, 'Filter by source', 'Alpha')
  await expect(page).toHaveURL(new RegExp(`source_id=${known.alpha}`))
  await expectLeads(page, 15)
  await chooseOption(page, 'Filter by state', 'Sold')
  await expectLeads(page, 6)
  await chooseOption(page, 'Filter by offer', 'Without offer')
  await expect(page).toHaveURL(/offer_id=0/)
  await expectLeads(page, 2)
  await page.goBack()
  await expectLeads(page, 6)
  await page.getByRole('searchbox', { name: 'External id starts with' }).fill('A-1')
  await expectLeads(page, 4)
  await page.reload()
  await expectLeads(page, 4)
  await expect(page.getByRole('button', { name: 'Remove Alpha' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Filter by state' })).toHaveValue('Sold')
  await page.getByRole('columnheader', { name: 'Payout' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=payout/)
  await expect(rows(page).first()).toContainText('A-10')
  await page.getByRole('columnheader', { name: 'Payout' }).getByRole('button').click()
  await expect(rows(page).first()).toContainText('A-13')
  await page.goBack()
  await expect(page).toHaveURL(/sort=payout/)
  await page.goBack()
  await expect(page).not.toHaveURL(/sort=/)
  for (const count of [4, 6, 15]) {
    await expectLeads(page, count)
    await page.goBack()
  }
  await expectLeads(page, 20)
  await page.getByRole('searchbox', { name: 'Source status' }).fill('MYSTERY')
  await expectLeads(page, 3)
  await page.getByRole('searchbox', { name: 'Source status' }).fill('')
  await page.getByRole('button', { name: 'Страница 2' }).click()
  await expect(page).toHaveURL(/page=2/)
  await chooseOption(page, 'Filter by stream', 'Spring')
  await expect(page).not.toHaveURL(/page=2/)
  await expectLeads(page, 5)
})

test('a cell of the daily report leads to exactly its leads, and a lead to its history', async ({
  page,
  api,
  known,
}) => {
  await openSignedIn(page, api, `/statistics?source_id=${known.alpha}`)
  const soldFigure = figure(page, '10.11.2026', 6)
  await expect(soldFigure).toHaveText('4')
  await soldFigure.getByRole('link').click()
  await expect(page).toHaveURL(/\/leads\?/)
  const search = new URL(page.url()).searchParams
  expect(Object.fromEntries(search)).toEqual({
    source_id: String(known.alpha),
    from: '2026-11-10',
    to: '2026-11-10',
    column: 'sold',
  })
  await expectLeads(page, 4)
  await rows(page).filter({ hasText: 'A-12' }).getByRole('cell').nth(2).click()
  const lead = page.getByRole('dialog', { name: 'A-12' })
  await expect(page).toHaveURL(/[?&]id=\d+/)
  await expect(lead.getByRole('term').filter({ hasText: 'Payout' })).toBeVisible()
  await expect(lead).toContainText('1 002 UZS')
  const history = lead.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(history).toHaveCount(1)
  await expect(history).toContainText('Sold · sold')
  await expect(history).toContainText('File: leads.csv')
  await page.goBack()
  await expect(lead).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/statistics/)
})

test('every figure of every report links to the same number of leads', async ({ page, api, known }) => {
  test.setTimeout(180_000)
  for (const tab of ['daily', 'offers', 'streams']) {
    await openSignedIn(page, api, `/statistics?tab=${tab}&from=2026-11-01&to=2026-11-30`)
    await expect(rows(page)).not.toHaveCount(0)
    // The second to the ninth column are counts of leads.
    const figures = page.locator('tr td:nth-child(n+2):nth-child(-n+9)')
    const links = await figures
      .locator('a')
      .evaluateAll((anchors) =>
        anchors.map((link) => ({ count: Number(link.textContent), href: link.getAttribute('href') ?? '' })),
      )
    await expect(figures.filter({ hasNotText: /^0$/ }), 'figures that are not 0').toHaveCount(links.length)
    for (const { count, href } of links) {
      const query = new URLSearchParams(href.replace('/leads', ''))
      for (const [url, wire] of [
        ['from', 'start_date'],
        ['to', 'end_date'],
      ] as const) {
        const day = query.get(url)
        query.delete(url)
        if (day !== null) query.set(wire, day)
      }
      const { meta } = await api.call<{ meta: { filtered_total: number } }>(
        'GET',
        `/api/admin/leads/?${query}`,
      )
      expect(meta.filtered_total, href).toBe(count)
    }
  }
  await openSignedIn(page, api, `/statistics?tab=offers&source_id=${known.alpha}`)
  await page.getByRole('row').filter({ hasText: 'Total' }).getByRole('cell').nth(1).getByRole('link').click()
  await expectLeads(page, 15)
  await openSignedIn(page, api, `/statistics?tab=streams&source_id=${known.alpha}&search=wint`)
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('row').filter({ hasText: 'Total' }).getByRole('link')).toHaveCount(0)
})

test('a bulk status change by keyboard changes the report and is in the history', async ({
  page,
  api,
  known,
}) => {
  const { items } = await api.call<{ items: { type_id: number }[] }>('GET', '/api/admin/statuses/')
  await api.call('POST', '/api/admin/statuses/', {
    name: 'Unused',
    type_id: items[0]?.type_id,
    is_active: false,
  })
  const type = await api.call<{ id: number }>('POST', '/api/admin/status-types/', { name: 'Of offers' })
  await api.call('POST', '/api/admin/statuses/', { name: 'Draft', type_id: type.id })
  await openSignedIn(page, api, `/statistics?source_id=${known.alpha}`)
  await expect(figure(page, '10.11.2026', 6)).toHaveText('4')
  await openSignedIn(page, api, `/leads?source_id=${known.alpha}&column=hold`)
  await expectLeads(page, 3)
  await pressOn(page, rows(page).nth(0).getByRole('checkbox'), ' ')
  await pressOn(page, rows(page).nth(1).getByRole('checkbox'), ' ')
  const chosenText = await rows(page).nth(0).getByRole('cell').nth(1).textContent()
  await pressOn(page, page.getByRole('button', { name: 'Change state' }))
  const dialog = page.getByRole('dialog', { name: 'Change the state of 2 leads' })
  const status = dialog.getByRole('combobox', { name: 'Status' })
  await expect(status).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Sold' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Unused' })).toHaveCount(0)
  await expect(page.getByRole('option', { name: 'Draft' })).toHaveText('Draft (Of offers)')
  await page.keyboard.type('Sold')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(status).toHaveValue('Sold')
  await tabTo(page, dialog.getByLabel('Comment'))
  await page.keyboard.type('The network called')
  const confirmation = page.getByRole('alertdialog', { name: 'Change the state of 2 leads to Sold?' })
  await pressOn(page, dialog.getByRole('button', { name: 'Change state' }))
  await expect(confirmation.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Nothing was changed.')
  await pressOn(page, dialog.getByRole('button', { name: 'Change state' }))
  await pressOn(page, confirmation.getByRole('button', { name: 'Change state' }))
  await expect(page.getByRole('status').filter({ hasText: '2 leads changed.' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expectLeads(page, 1)
  await expect(rows(page).first()).toBeFocused()
  await expect(page.getByText('selected')).toHaveCount(0)

  await openSignedIn(page, api, `/statistics?source_id=${known.alpha}`)
  await expect(figure(page, '10.11.2026', 6)).toHaveText('6')
  await expect(figure(page, '10.11.2026', 8)).toHaveText('1')
  await openSignedIn(page, api, `/leads?search=${chosenText}`)
  await rows(page).first().focus()
  await page.keyboard.press('Enter')
  const lead = page.getByRole('dialog', { name: chosenText ?? '' })
  const history = lead.getByRole('listitem')
  await expect(history).toHaveCount(2)
  await expect(history.first()).toContainText('Admin: The network called')
  await expect(lead).toContainText('Set here; kept until the source sends a newer one')
  await page.keyboard.press('Escape')
  await expect(rows(page).first()).toBeFocused()
})

test.describe('Unmapped statuses', () => {
  test.use({ expectedStatus: [409] })

  test('an unmapped status is mapped in one step by keyboard, and the report changes', async ({
    page,
    api,
    known,
  }) => {
    await openSignedIn(page, api, `/statistics?source_id=${known.alpha}`)
    await expect(figure(page, '11.11.2026', 2)).toHaveText('0')
    await pressOn(page, page.getByRole('link', { name: /^Unmapped statuses/ }))
    await expect(page.getByRole('link', { name: /^Unmapped statuses/ })).toContainText('2')
    const unmappedRow = page.getByRole('row').filter({ hasText: 'mystery' })
    await expect(unmappedRow.getByRole('cell')).toContainText(['mystery', 'Alpha', '3'])
    // The index of leads without a status has them alone, so that the list counts as many leads as the figure.
    await expect(unmappedRow.getByRole('link')).toHaveAttribute('href', /[?&]status_id=0(&|$)/)
    const map = unmappedRow.getByRole('combobox', { name: 'Status for mystery of Alpha' })
    const pick = async () => {
      await tabTo(page, map)
      await page.keyboard.type('a')
      await page.keyboard.press('Enter')
    }
    const undo = await mockAnswer(page, '/api/admin/source-statuses/', {
      method: 'POST',
      status: 409,
      body: { detail: 'That status is mapped already' },
    })
    await pick()
    await expect(unmappedRow).toContainText('That status is mapped already')
    await undo()
    await pick()
    const confirmation = page.getByRole('status').filter({ hasText: 'now counts as Accepted' })
    await expect(confirmation).toContainText('To undo, delete it in Settings, Statuses, Source statuses.')
    await expect(unmappedRow).toHaveCount(0)
    await expect(page.getByRole('combobox', { name: 'Status for riddle of Alpha' })).toBeFocused()
    await expect(page.getByRole('link', { name: /^Unmapped statuses/ })).toContainText('1')

    await openSignedIn(page, api, `/statistics?source_id=${known.alpha}`)
    await expect(async () => {
      await page.reload()
      await expect(figure(page, '11.11.2026', 2)).toHaveText('3', { timeout: 5000 })
    }).toPass()
    await openSignedIn(page, api, '/leads?tab=unmapped')
    await page.getByRole('row').filter({ hasText: 'riddle' }).getByRole('link').click()
    await expectLeads(page, 1)
    await expect(rows(page).first()).toContainText('A-60')
  })
})

test.describe('Regular users', () => {
  test.use({ expectedStatus: [404] })

  test('a regular user sees only the leads of their own streams, from a figure of their statistics', async ({
    page,
    product,
    known,
  }) => {
    await signIn(page, product.url, known.buyer.username, known.buyer.password)
    await page.getByRole('button', { name: /profile and sign out/ }).click()
    await page.getByRole('menuitem', { name: 'Statistics' }).click()
    const total = page.getByRole('row').filter({ hasText: 'Total' }).getByRole('cell').nth(1)
    await expect(total).toHaveText('8')
    await total.getByRole('link').click()
    await expectLeads(page, 8)
    await expect(page.getByRole('tab')).toHaveCount(0)
    await expect(page.getByRole('checkbox')).toHaveCount(0)
    for (const row of await rows(page).all()) await expect(row).toContainText('Autumn')
    await page.getByRole('combobox', { name: 'Filter by source' }).click()
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Alpha'])
    await page.keyboard.press('Escape')
    await rows(page).first().getByRole('cell').nth(1).click()
    await expect(page.getByRole('dialog').getByRole('list', { name: 'History' })).toBeVisible()
    await page.keyboard.press('Escape')
    // Tabs and other people's leads cannot be reached by the address.
    await page.goto(`${product.url}/leads?tab=unmapped&source_id=${known.beta}`)
    await expectLeads(page, 0)
    await page.goto(`${product.url}/leads?id=1`)
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.goto(`${product.url}/leads?id=20`)
    await expect(page.getByRole('alert')).toContainText('Failed to load lead. Please try again.')
  })
})
