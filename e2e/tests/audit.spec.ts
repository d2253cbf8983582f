import { variants } from '../src/extent.ts'
import { expect, openSigned, pressOn, test } from '../src/keyboard.ts'
import { choose } from '../src/leads.ts'
import { expectSound } from '../src/test.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test(
  'a changed offer stands in the audit log with its values before and after, found by filters',
  variants,
  async ({ page, api }) => {
    const { items } = await api.call<{ items: { id: number; name: string; price: number }[] }>(
      'GET',
      '/api/admin/offers/?per_page=1',
    )
    const [offer] = items
    if (!offer) throw new Error('The demo has no offer')
    await api.call('PUT', `/api/admin/offers/${offer.id}`, { name: `${offer.name} (new)` })

    await openSigned(page, api, '/audit')
    await choose(page, 'Filter by action', 'Changed')
    await choose(page, 'Filter by subject', 'Offer')
    await expect(page).toHaveURL(/action=update.*resource=offers|resource=offers.*action=update/)
    const row = page.locator('tr[data-key]').first()
    await expect(row).toContainText('admin')
    await expect(row).toContainText(`Offer ${offer.name} (new)`)
    await pressOn(page, row)
    const detail = page.getByRole('dialog', { name: `Changed: Offer ${offer.name} (new)` })
    await expect(detail.getByRole('deletion')).toHaveText(offer.name)
    await expect(detail.getByRole('insertion')).toHaveText(`${offer.name} (new)`)
    await expectSound(page, 'audit detail', [
      [360, 'dark'],
      [1440, 'light'],
    ])
    await page.keyboard.press('Escape')
    await expect(detail).toHaveCount(0)
    await expect(row).toBeFocused()
    await expectSound(page, 'audit', [
      [360, 'light'],
      [1440, 'dark'],
    ])
  },
)
