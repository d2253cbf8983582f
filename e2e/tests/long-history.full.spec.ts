import { variants } from '../src/extent.ts'
import { openSignedIn, pressOn } from '../src/keyboard.ts'
import { importParcels } from '../src/orders.ts'
import { expect, expectAccessibleLayout, test } from '../src/test.ts'

test(
  'a parcel with more events than its detail shows says so, and loads the rest page by page',
  variants,
  async ({ page, api }) => {
    await importParcels(
      api,
      ...Array.from({ length: 250 }, (_, n): [string, string, number, string] => [
        'H-1',
        'DELIVERY',
        n / 10_000,
        'admin',
      ]),
    )
    // The events go back over midnight, which may be the end of the month that the list shows.
    await openSignedIn(page, api, '/parcels?period=any')
    await page.getByRole('row').filter({ hasText: 'H-1' }).getByRole('cell').first().click()
    const detail = page.getByRole('region', { name: 'H-1' })
    const steps = detail.getByRole('list', { name: 'История статусов' }).getByRole('listitem')
    const moreButton = detail.getByRole('button', { name: 'Показать ещё события' })
    await expect(detail).toContainText('Показано событий: 100 из 250')
    await expect(steps).toHaveCount(100)
    await expectAccessibleLayout(page, 'long-history', [
      [360, 'dark'],
      [1440, 'light'],
    ])
    await page.setViewportSize({ width: 1440, height: 900 })
    await pressOn(page, moreButton)
    await expect(detail).toContainText('Показано событий: 200 из 250')
    await expect(moreButton).toBeFocused()
    await pressOn(page, moreButton)
    await expect(steps).toHaveCount(250)
    await expect(moreButton).toHaveCount(0)
    await expect(detail).not.toContainText('Показано')
  },
)
