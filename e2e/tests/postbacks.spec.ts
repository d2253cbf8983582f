import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { mockAnswer } from '../src/bare.ts'
import { startTestProduct, type Product } from '../src/product.ts'
import { openSignedIn, pressOn, tabTo, typeInto } from '../src/keyboard.ts'
import { chooseOption, newSource } from '../src/leads.ts'
import { expect, test as base } from '../src/test.ts'

interface Tracker {
  /** The base address of the tracker. */
  url: string
  /** The addresses of the requests, in order. */
  addresses: string[]
  /** The status of the next answers. */
  status: number
  close: () => void
}

async function startTracker(): Promise<Tracker> {
  const tracker: Tracker = { url: '', addresses: [], status: 200, close: () => undefined }
  const server: Server = createServer((request, response) => {
    tracker.addresses.push(request.url ?? '')
    response.writeHead(tracker.status).end('noted')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  tracker.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  tracker.close = () => server.close()
  return tracker
}

const test = base.extend<object, { tracker: Tracker; product: Product }>({
  tracker: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const tracker = await startTracker()
      await use(tracker)
      tracker.close()
    },
    { scope: 'worker' },
  ],
  // The product may call the tracker, although it is on this machine.
  product: [
    async ({ tracker }, use) => {
      const product = await startTestProduct({ KARVON_OUTBOUND_ALLOW: new URL(tracker.url).host })
      await use(product)
      await product.stopAndRemove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

const rows = (page: Page) => page.locator('tr[data-key]')
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Sends a postback to the address as a network would; answers the HTTP status. */
const sendPostback = async (address: string, params: Record<string, string>): Promise<number> =>
  (await fetch(`${address}?${new URLSearchParams(params).toString()}`)).status

/** The address that a source's form shows. */
async function addressOf(page: Page, source: string): Promise<string> {
  await rowOf(page, source).getByRole('cell').first().click()
  const dialog = page.getByRole('dialog', { name: 'Edit CPA source' })
  return (await dialog.getByRole('region', { name: 'Postback address' }).locator('code').textContent()) ?? ''
}

test('a failed postback is in the log with its reason, and its replay after the fix adds the lead to its stream', async ({
  page,
  api,
}) => {
  const source = await newSource(api, 'Gamma')
  await openSignedIn(page, api, '/settings/cpa-websites')
  const address = await addressOf(page, 'Gamma')
  expect(address).toMatch(new RegExp(`^${api.url}/api/postback/.{16,}$`))
  expect(
    await sendPostback(address, {
      tid: 'G-1',
      status: 'sold',
      payout: '120.50',
      subid: 'spring',
      sub1: 'fb',
    }),
  ).toBe(200)
  expect(await sendPostback(address, { tid: 'G-2', status: 'sold', payout: 'much' })).toBe(422)

  await page.goto(`${api.url}/leads?tab=postbacks`)
  await chooseOption(page, 'Filter by source', 'Gamma')
  await expect(rowOf(page, 'G-1')).toContainText('Unknown stream')
  await expect(rowOf(page, 'G-2')).toContainText('A value cannot be read')
  await expect(rowOf(page, 'G-2').getByRole('button', { name: /^Replay/ })).toHaveCount(0)
  await chooseOption(page, 'Filter by outcome', 'Created')
  await expect(page).toHaveURL(/outcome=created/)
  await expect(rows(page)).toHaveCount(1)
  await page.goBack()
  await expect(rows(page)).toHaveCount(2)
  await chooseOption(page, 'Filter by reason', 'A value cannot be read')
  await expect(rows(page)).toHaveCount(1)
  await page.goBack()
  await expect(rows(page)).toHaveCount(2)

  await rows(page).first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const detail = page.getByRole('dialog', { name: 'G-1' })
  await expect(detail).toContainText('No stream of this source has the id or name spring.')
  const params = detail.getByRole('region', { name: 'Parameters' })
  for (const value of ['120.50', 'spring', 'fb', 'sold']) await expect(params).toContainText(value)
  await page.keyboard.press('Escape')
  await expect(rows(page).nth(1)).toBeFocused()

  const { id: user_id } = await api.call<{ id: number }>('GET', '/parcel/auth/me')
  await api.call('POST', '/api/admin/streams/', {
    name: 'Spring',
    extra_id: 'spring',
    url: 'https://gamma.example/spring',
    source_id: source,
    user_id,
  })
  await pressOn(page, rowOf(page, 'G-1').getByRole('button', { name: /^Replay/ }))
  await expect(page.getByRole('status').filter({ hasText: 'Replayed: updated' })).toBeVisible()
  await expect(rowOf(page, 'G-1')).not.toContainText('Unknown stream')
  await expect(rowOf(page, 'G-1').getByRole('button', { name: /^Replay/ })).toBeFocused()
  await rowOf(page, 'G-1').getByRole('link', { name: 'Open lead' }).click()
  const lead = page.getByRole('dialog', { name: 'G-1' })
  await expect(lead.getByText('Spring', { exact: true })).toBeVisible()
  await expect(lead.getByRole('listitem').last()).toContainText('Postback')
})

test.describe('Postback keys', () => {
  test.use({ expectedStatus: [500] })

  test("the address of a source's postbacks can be copied, and a new key ends the old address", async ({
    page,
    api,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await newSource(api, 'Delta')
    await openSignedIn(page, api, '/settings/cpa-websites')
    const old = await addressOf(page, 'Delta')
    await page.getByRole('button', { name: 'Copy' }).click()
    await expect(page.getByText('Address copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(old)

    const dialog = page.getByRole('dialog', { name: 'Edit CPA source' })
    const rotate = dialog.getByRole('button', { name: 'Rotate key' })
    const confirmation = page.getByRole('alertdialog', { name: 'Rotate the key of this source?' })
    const code = dialog.locator('code')
    await dialog.getByLabel('Name', { exact: true }).fill('Delta two')
    await pressOn(page, rotate)
    await page.keyboard.press('Escape')
    await expect(confirmation).toHaveCount(0)
    await expect(code).toHaveText(old)
    const undo = await mockAnswer(page, '/api/admin/cpa-sources/*/rotate-postback-key/', {
      status: 500,
      body: { detail: 'The database is away' },
    })
    await rotate.click()
    await confirmation.getByRole('button', { name: 'Rotate key' }).click()
    const failure = page.getByRole('alertdialog', { name: 'Failed to rotate the key. Please try again.' })
    await expect(failure).toContainText('The database is away')
    await page.keyboard.press('Escape')
    await undo()
    await rotate.click()
    await confirmation.getByRole('button', { name: 'Rotate key' }).click()
    await expect(page.getByText('Key rotated')).toBeVisible()
    await expect(code).not.toHaveText(old)
    const next = (await code.textContent()) ?? ''
    // The earlier input is still there.
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Delta two')
    const params = { tid: 'D-1', status: 'sold', payout: '1' }
    expect(await sendPostback(old, params)).toBe(404)
    expect(await sendPostback(next, params)).toBe(200)
  })
})

test('a template made on the screen sends to its tracker, and a refused outgoing postback is sent again', async ({
  page,
  api,
  tracker,
}) => {
  const source = await newSource(api, 'Omega')
  const { id: user_id } = await api.call<{ id: number }>('GET', '/parcel/auth/me')
  const url = 'https://omega.example/winter'
  await api.call('POST', '/api/admin/streams/', { name: 'Winter', url, source_id: source, user_id })
  const { postback_key: key } = await api.call<{ postback_key: string }>(
    'GET',
    `/api/admin/cpa-sources/${source}/`,
  )
  const address = `${api.url}/api/postback/${key}`

  await openSignedIn(page, api, '/streams')
  await pressOn(page, page.getByRole('link', { name: 'Postback templates' }))
  await pressOn(page, page.getByRole('button', { name: 'New postback template' }))
  const form = page.getByRole('dialog', { name: 'New postback template' })
  await typeInto(page, form.getByLabel('Name', { exact: true }), 'Keitaro')
  await tabTo(page, form.getByRole('combobox', { name: 'Stream' }))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Winter' })).toBeVisible()
  await page.keyboard.type('w')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('combobox', { name: 'Stream' })).toHaveValue('Winter')
  await tabTo(page, form.getByRole('combobox', { name: 'State' }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('s')
  await page.keyboard.type('s')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('combobox', { name: 'State' })).toHaveValue('Sold')
  await expect(form.getByText('{offer_name}')).toBeVisible()
  await typeInto(page, form.getByLabel('URL', { exact: true }), `${tracker.url}/in?id={sub1}&sum={payout}`)
  await page.keyboard.press('Enter')
  await expect(form).toHaveCount(0)
  await expect(rowOf(page, 'Keitaro')).toContainText('Sold')

  tracker.status = 400
  for (const [tid, status] of [
    ['O-1', 'hold'],
    ['O-2', 'sold'],
  ] as const) {
    const params = { tid, status, payout: '99.9', subid: 'Winter', sub1: 'click 7' }
    expect(await sendPostback(address, params)).toBe(200)
  }
  const last = rowOf(page, 'O-2')
  await expect(async () => {
    await page.goto(`${api.url}/leads?tab=outgoing`)
    await expect(last).toContainText('400', { timeout: 5000 })
  }).toPass()
  await expect(rows(page)).toHaveCount(1)
  await expect(last).toContainText(`${tracker.url}/in?id=click%207`.slice(0, 30))
  expect(tracker.addresses.at(-1)).toBe('/in?id=click%207&sum=99.9')

  tracker.status = 200
  await pressOn(page, last.getByRole('button', { name: /^Retry/ }))
  // The server has the request before the page is left.
  await expect(page.getByRole('status').filter({ hasText: 'Postback: ' })).toBeVisible()
  await expect(page.locator('tr:is(:focus, :focus-within)').filter({ hasText: 'O-2' })).toHaveCount(1)
  await expect(async () => {
    await page.reload()
    await expect(last).toContainText('Sent', { timeout: 5000 })
  }).toPass()
  await expect(last.getByRole('button', { name: /^Retry/ })).toHaveCount(0)
  await chooseOption(page, 'Filter by status', 'Sent')
  await expect(page).toHaveURL(/status=sent/)
  await last.getByRole('cell').nth(1).click()
  const detail = page.getByRole('dialog', { name: 'O-2' })
  await expect(detail).toContainText(`${tracker.url}/in?id=click%207&sum=99.9`)
  await detail.getByRole('link', { name: 'O-2' }).click()
  await expect(page.getByRole('dialog', { name: 'O-2' })).toContainText('click 7')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/leads$/)
})
