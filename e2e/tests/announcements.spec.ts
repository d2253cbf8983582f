import { expect, test } from '../src/bare.ts'

/** What screen readers announce while the focus stays where it is. */

test('the title of the page that a link opens is announced', async ({ page, open }) => {
  await open('/offers', 'admin')
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toHaveText('Offers')
  await title.evaluate((element) => element.setAttribute('data-first', ''))
  await page.getByRole('link', { name: 'Streams', exact: true }).first().press('Enter')
  await expect(title).toHaveText('Streams')
  await expect(title).toHaveAttribute('aria-live', 'polite')
  await expect(title, 'the same element, whose change is announced').toHaveAttribute('data-first')
})

test('the parcel that opens beside the list is announced, and its row is the current one', async ({
  page,
  open,
}) => {
  await open('/parcels', 'admin')
  const rows = page.locator('tr[data-key]')
  const detail = page.getByRole('status').filter({ hasText: /^Посылка / })
  for (const index of [0, 1]) {
    const orderno = await rows.nth(index).getByRole('cell').first().innerText()
    await rows.nth(index).press('Enter')
    await expect(detail).toHaveText(`Посылка ${orderno.split('\n')[0] ?? ''}`)
    await expect(rows.nth(index)).toBeFocused()
    await expect(page.locator('tr[aria-current=true]')).toHaveCount(1)
    await expect(rows.nth(index)).toHaveAttribute('aria-current', 'true')
  }
  await page.keyboard.press('Escape')
  await expect(page.locator('tr[aria-current]')).toHaveCount(0)
})
