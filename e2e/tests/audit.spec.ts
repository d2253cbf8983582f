import { variants } from '../src/extent.ts'
import { expect, openSignedIn, pressOn, test } from '../src/keyboard.ts'
import { chooseOption } from '../src/leads.ts'
import { expectAccessibleLayout } from '../src/test.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

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
    await api.call('PUT', `/api/admin/offers/${offer.id}`, { name: `${offer.name} (new)` })

    await openSignedIn(page, api, '/audit')
    await chooseOption(page, 'Filter by action', 'Changed')
    await chooseOption(page, 'Filter by subject', 'Offer')
    await expect(page).toHaveURL(/action=update.*resource=offers|resource=offers.*action=update/)
    const row = page.locator('tr[data-key]').first()
    await expect(row).toContainText('admin')
    await expect(row).toContainText(`Offer ${offer.name} (new)`)
    await pressOn(page, row)
    const detail = page.getByRole('dialog', { name: `Changed: Offer ${offer.name} (new)` })
    await expect(detail.getByRole('deletion')).toHaveText(offer.name)
    await expect(detail.getByRole('insertion')).toHaveText(`${offer.name} (new)`)
    await expectAccessibleLayout(page, 'audit detail', [
      [360, 'dark'],
      [1440, 'light'],
    ])
    await page.keyboard.press('Escape')
    await expect(detail).toHaveCount(0)
    await expect(row).toBeFocused()
    await expectAccessibleLayout(page, 'audit', [
      [360, 'light'],
      [1440, 'dark'],
    ])
  },
)
