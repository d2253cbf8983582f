import type { Page } from '@playwright/test'
import type { Api } from '../src/api.ts'
import { variants } from '../src/extent.ts'
import { openSignedIn } from '../src/keyboard.ts'
import { chooseOption, newSource } from '../src/leads.ts'
import { expect, expectAccessibleLayout, signIn, test as base } from '../src/test.ts'

type Buyer = { username: string; password: string }
/** The source Sum has leads in UZS, Dollar in USD. The buyer has the stream of Sum. */
const test = base.extend<object, { buyer: Buyer }>({
  buyer: [async ({ api }, use) => use(await importLeads(api)), { scope: 'worker' }],
})

const appearances = [
  [360, 'dark'],
  [1440, 'dark'],
  [360, 'light'],
  [1440, 'light'],
] as const

async function importLeads(api: Api): Promise<Buyer> {
  const sources = [await newSource(api, 'Sum'), await newSource(api, 'Dollar')]
  const rows = ['A,2026-11-10,sold,120000,UZS,Autumn', 'B,2026-11-10,sold,7.5,USD,Winter']
  for (const [at, row] of rows.entries()) {
    const form = new FormData()
    form.set('source_id', String(sources[at]))
    form.set('file', new File([`external_id,created_at,status,payout,currency,stream\n${row}`], 'leads.csv'))
    await api.call('POST', '/api/admin/leads/import/', form)
  }
  const { id: user_id, password } = await api.newPerson('buyer', sources)
  const { items } = await api.call<{ items: { id: number }[] }>('GET', '/api/admin/streams/?name=Autumn')
  await api.call('PUT', `/api/admin/streams/${items[0]?.id}`, { user_id })
  return { username: 'buyer', password }
}

const note = (page: Page) => page.getByText('Sums add them without conversion.')
const terms = (page: Page) => page.getByRole('term')

for (const [name, path] of [
  ['statistics', '/statistics?tab=daily'],
  ['Explore', '/explore?period=all&rows=source&metrics=profit'],
] as const)
  test(
    `${name}: a note names the currencies that the sums add up`,
    variants,
    async ({ page, api, buyer }) => {
      expect(buyer.username).toBe('buyer')
      await openSignedIn(page, api, path)
      await expect(note(page)).toHaveText(
        'Leads have payouts in several currencies: USD, UZS. Sums add them without conversion. Choose a source to see one currency.',
      )
      await expectAccessibleLayout(page, `${name} with two currencies`, appearances)
    },
  )

test('a source with one currency has no note, and the totals name its currency', async ({
  page,
  api,
  buyer,
}) => {
  expect(buyer.username).toBe('buyer')
  await openSignedIn(page, api, '/statistics?tab=daily')
  await expect(note(page)).toBeVisible()
  await expect(terms(page).filter({ hasText: /^(Hold amount|Profit)$/ })).toHaveCount(2)
  await chooseOption(page, 'Source', 'Dollar')
  await expect(terms(page).filter({ hasText: /^(Hold|Profit), USD$/ })).toHaveCount(2)
  await expect(note(page)).toHaveCount(0)
})

test('Explore without money has no note, and one source has none', async ({ page, api, buyer }) => {
  expect(buyer.username).toBe('buyer')
  await openSignedIn(page, api, '/explore?period=all&rows=source&metrics=leads')
  await expect(page.getByRole('row', { name: /^Dollar/ })).toBeVisible()
  await expect(note(page)).toHaveCount(0)
  await page.goto(`${api.url}/explore?period=all&rows=source&metrics=profit`)
  await expect(note(page)).toBeVisible()
  await chooseOption(page, 'Add a filter', 'Source')
  await chooseOption(page, 'Filter: Source', 'Sum')
  await expect(page.getByRole('row', { name: /^Dollar/ })).toHaveCount(0)
  await expect(note(page)).toHaveCount(0)
})

test('a buyer whose streams have one currency gets no note', async ({ page, product, buyer }) => {
  await signIn(page, product.url, buyer.username, buyer.password)
  await page.goto(`${product.url}/statistics?tab=daily`)
  await expect(terms(page).filter({ hasText: /^Profit, UZS$/ })).toHaveCount(1)
  await expect(page.getByRole('row', { name: /10\.11\.2026/ })).toBeVisible()
  await expect(note(page)).toHaveCount(0)
})
