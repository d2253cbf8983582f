import { variants } from '../src/extent.ts'
import { openSignedIn } from '../src/keyboard.ts'
import { knownLeads, type KnownLeads } from '../src/leads.ts'
import { expect, expectAccessibleLayout, test as base } from '../src/test.ts'

const test = base.extend<object, { known: KnownLeads }>({ known: knownLeads })

const days = 'from=2026-11-10&to=2026-11-11'
const appearances = [
  [1440, 'light'],
  [360, 'dark'],
  [768, 'light'],
] as const

for (const [name, search] of [
  ['a table with a comparison', 'rows=stream&compare=previous_period'],
  ['a pivot', 'rows=stream&columns=offer&view=pivot'],
  ['lines', 'rows=day&columns=offer&view=line'],
  ['bars', 'rows=stream&view=bars&compare=previous_period'],
] as const) {
  test(
    `${name}: every theme and width is accessible, and a chart has its table`,
    variants,
    async ({ page, api, known }) => {
      expect(known.alpha).toBeGreaterThan(0)
      await openSignedIn(page, api, `/explore?${days}&${search}`)
      await expect(page.getByRole('row', { name: /^Total/ })).toBeVisible()
      if (/line|bars/.test(search)) {
        await expect(page.getByRole('img', { name: /The table below has the same figures/ })).toBeVisible()
      }
      await expectAccessibleLayout(page, name, appearances)
    },
  )
}

test('a chart on a phone names each of two bars', async ({ page, api, known }) => {
  expect(known.alpha).toBeGreaterThan(0)
  await page.setViewportSize({ width: 360, height: 740 })
  await openSignedIn(page, api, `/explore?${days}&rows=source&view=bars`)
  const main = page.getByRole('main')
  for (const name of ['Alpha', 'Beta'])
    await expect(main.locator('[aria-hidden=true] > span').getByText(name, { exact: true })).toBeVisible()
})
