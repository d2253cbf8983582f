import { openSignedIn, pressOn, typeInto } from '../src/keyboard.ts'
import { expectLeads, knownLeads, type KnownLeads } from '../src/leads.ts'
import { expect, test as base } from '../src/test.ts'

const test = base.extend<object, { known: KnownLeads }>({ known: knownLeads })

test('several values of each filter are chosen and removed by keyboard', async ({ page, api, known }) => {
  expect(known.alpha).toBeGreaterThan(0)
  await openSignedIn(page, api, '/leads')
  await expectLeads(page, 20)
  const offer = page.getByRole('combobox', { name: 'Filter by offer' })
  for (const name of ['Lamp', 'Bench']) {
    await typeInto(page, offer, name)
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([name])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
    await expect(offer).toBeFocused()
  }
  await expect(page).toHaveURL(/offer_id=\d+%2C\d+/)
  await expectLeads(page, 11)
  await pressOn(page, page.getByRole('button', { name: 'Clear Filter by offer' }))
  await expect(page).not.toHaveURL(/offer_id/)
  await expect(offer).toBeFocused()
  await expectLeads(page, 20)

  await typeInto(page, page.getByRole('combobox', { name: 'Add a filter' }), 'Weekday')
  await page.keyboard.press('Enter')
  const weekday = page.getByRole('combobox', { name: 'Filter: Weekday' })
  await expect(weekday).toBeFocused()
  await typeInto(page, weekday, 'Wednesday')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Wednesday'])
  await page.keyboard.press('Enter')
  await expectLeads(page, 6)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Backspace')
  await expectLeads(page, 20)
  await expect(weekday).toBeFocused()
})

test('a text and "without" are values of one filter, which shows when it is full', async ({
  page,
  api,
  known,
}) => {
  expect(known.alpha).toBeGreaterThan(0)
  await openSignedIn(page, api, '/leads?region=Buxoro&without=region')
  await expectLeads(page, 20)
  await expect(page.getByText('Region:Buxoro')).toHaveText('Region:BuxoroWithout region')
  await pressOn(page, page.getByRole('button', { name: 'Clear Filter: Region' }))
  await expect(page).not.toHaveURL(/region/)
  const regions = Array.from({ length: 50 }, (_, at) => `Region ${at}`)
  await page.goto(`${api.url}/leads?region=${encodeURIComponent(regions.join('\u001F'))}`)
  await expectLeads(page, 0)
  await page.getByRole('combobox', { name: 'Filter: Region' }).click()
  await expect(page.getByText('At most 50 values.')).toBeVisible()
  await expect(page.getByRole('option', { name: 'Without region' })).toBeDisabled()
  await typeInto(page, page.getByRole('combobox', { name: 'Filter: Region' }), 'Without')
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/without/)
})

test.describe('An address with ids of no rows', () => {
  test.use({ expectedStatus: [404, 422, 429] })

  test('loads the names of at most as many ids as a filter may have', async ({ page, api }) => {
    const singleCalls: string[] = []
    page.on('request', (request) => {
      if (/\/cpa-sources\/\d+/.test(request.url())) singleCalls.push(request.url())
    })
    const ids = Array.from({ length: 400 }, (_, n) => 1_000_000 + n).join(',')
    await openSignedIn(page, api, `/leads?source_id=${ids}`)
    await expect(page.getByRole('alert')).toBeVisible()
    await expect.poll(() => singleCalls.length).toBe(50)
    await page.waitForLoadState('networkidle')
    expect(singleCalls.length).toBe(50)
  })
})
