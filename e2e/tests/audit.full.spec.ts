import { presetLanguage } from '../src/languages.ts'
import { variants } from '../src/extent.ts'
import { expect, openSignedIn, pressOn, test } from '../src/keyboard.ts'
import { chooseOption, newSource } from '../src/leads.ts'
import { expectAccessibleLayout } from '../src/test.ts'

test(
  'the audit log finds a changed offer by filters and shows its values before and after',
  variants,
  async ({ page, api }) => {
    const { items } = await api.call<{ items: { id: number; name: string; price: number }[] }>(
      'GET',
      '/api/admin/offers/?per_page=1',
    )
    const [offer] = items
    if (!offer) throw new Error('The demo has no offer')
    const source = await newSource(api, 'Audited')
    await api.call('PUT', `/api/admin/offers/${offer.id}`, {
      name: `${offer.name} (new)`,
      price: 1_250_000.5,
      source_id: source,
    })
    await api.call('PUT', `/api/admin/cpa-sources/${source}`, { is_active: false })

    await openSignedIn(page, api, '/audit')
    await chooseOption(page, 'Filter by action', 'Changed')
    await chooseOption(page, 'Filter by subject', 'Offer')
    await expect(page).toHaveURL(/action=update.*resource=offers|resource=offers.*action=update/)
    const row = page.locator('tr[data-key]').first()
    await expect(row).toContainText('admin')
    await expect(row).toContainText(`Offer ${offer.name} (new)`)
    await pressOn(page, row)
    const detail = page.getByRole('dialog', { name: `Changed: Offer ${offer.name} (new)` })
    const names = ['Time', 'Person', 'Name', 'Price', 'Source']
    await expect(detail.getByRole('term')).toHaveText(names)
    await expect(detail.getByRole('deletion').first()).toHaveText(offer.name)
    await expect(detail.getByRole('insertion')).toHaveText([`${offer.name} (new)`, '1 250 000.50', 'Audited'])
    await expectAccessibleLayout(page, 'audit detail', [
      [360, 'dark'],
      [1440, 'light'],
    ])
    await page.keyboard.press('Escape')
    await expect(detail).toHaveCount(0)
    await expect(row).toBeFocused()
    await expect(row).toContainText('Price: 1 250 000.50, Source: Audited')
    await expectAccessibleLayout(page, 'audit', [
      [360, 'light'],
      [1440, 'dark'],
    ])
  },
)

test('another subject removes the row that belongs to the one before', async ({ page, api }) => {
  const source = await newSource(api, 'Subject')
  await api.call('PUT', `/api/admin/cpa-sources/${source}`, { is_active: false })
  await openSignedIn(page, api, `/audit?resource=cpa-sources&row_id=${source}`)
  await expect(page.locator('tr[data-key]')).toHaveCount(2)
  await chooseOption(page, 'Filter by action', 'Changed')
  await expect(page).toHaveURL(/row_id/)
  await chooseOption(page, 'Filter by subject', 'Status')
  await expect(page).toHaveURL(/resource=statuses/)
  await expect(page).not.toHaveURL(/row_id/)
})

test('the audit log names fields and values in the language of the person', async ({ page, api }) => {
  const source = await newSource(api, 'Named')
  await api.call('PUT', `/api/admin/cpa-sources/${source}`, { is_active: false })
  await presetLanguage(page, 'ru')
  await openSignedIn(page, api, `/audit?resource=cpa-sources&row_id=${source}&action=update`)
  await expect(page.locator('tr[data-key]')).toContainText('Источник Named')
  await expect(page.locator('tr[data-key]')).toContainText('Активен: Нет')
  await page.locator('tr[data-key]').click()
  await expect(page.getByRole('dialog', { name: 'Изменено: Источник Named' })).toBeVisible()
})

test('an entry that names many rows loads at most twenty of them by a call each', async ({ page, api }) => {
  const sourceIds: number[] = []
  for (let n = 0; n < 130; n++) sourceIds.push(await newSource(api, `Many-${n}`))
  const { id } = await api.call<{ id: number }>('POST', '/api/admin/roles/', {
    name: 'Many sources',
    code: 'many-sources',
    source_ids: sourceIds,
  })
  const singleCalls: string[] = []
  page.on('request', (request) => {
    if (/\/cpa-sources\/\d+/.test(request.url())) singleCalls.push(request.url())
  })
  await openSignedIn(page, api, `/audit?resource=roles&row_id=${id}`)
  await page.locator('tr[data-key]').click()
  await expect(page.getByRole('dialog')).toContainText(/Many-\d+.*#\d+/s)
  await expect.poll(() => singleCalls.length).toBe(20)
  // Other tests choose from the first hundred sources.
  await api.call('DELETE', `/api/admin/roles/${id}`)
  for (const source of sourceIds) await api.call('DELETE', `/api/admin/cpa-sources/${source}`)
})
