import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { answer } from '../src/bare.ts'
import { startDesk, type Desk } from '../src/desk.ts'
import { openSigned, pressOn, tabTo, typeInto } from '../src/keyboard.ts'
import { choose, newSource } from '../src/leads.ts'
import { expect, test as base } from '../src/test.ts'

interface Tracker {
  /** Below which it takes what it is told. */
  url: string
  /** The addresses that it was asked for, as they came. */
  told: string[]
  /** What it answers from now on. */
  status: number
  close: () => void
}

async function startTracker(): Promise<Tracker> {
  const tracker: Tracker = { url: '', told: [], status: 200, close: () => undefined }
  const server: Server = createServer((request, response) => {
    tracker.told.push(request.url ?? '')
    response.writeHead(tracker.status).end('noted')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  tracker.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  tracker.close = () => server.close()
  return tracker
}

const test = base.extend<object, { tracker: Tracker; desk: Desk }>({
  tracker: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const tracker = await startTracker()
      await use(tracker)
      tracker.close()
    },
    { scope: 'worker' },
  ],
  // One that may speak to the tracker, although it is on this machine.
  desk: [
    async ({ tracker }, use) => {
      const desk = await startDesk({ KARVON_OUTBOUND_ALLOW: new URL(tracker.url).host })
      await use(desk)
      await desk.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const rows = (page: Page) => page.locator('tr[data-key]')
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Sends a postback to the address as a network would; answers the HTTP status. */
const hit = async (address: string, params: Record<string, string>): Promise<number> =>
  (await fetch(`${address}?${new URLSearchParams(params).toString()}`)).status

/** The address that a source's form shows. */
async function addressOf(page: Page, source: string): Promise<string> {
  await rowOf(page, source).getByRole('cell').first().click()
  const dialog = page.getByRole('dialog', { name: 'Edit CPA source' })
  return (await dialog.getByRole('region', { name: 'Postback address' }).locator('code').textContent()) ?? ''
}

test('a hit at the shown address is in the log with its reason, and replayed after the fix it joins its stream', async ({
  page,
  api,
}) => {
  const source = await newSource(api, 'Gamma')
  await openSigned(page, api, '/settings/cpa-websites')
  const address = await addressOf(page, 'Gamma')
  expect(address).toMatch(new RegExp(`^${api.url}/api/postback/.{16,}$`))
  expect(
    await hit(address, { tid: 'G-1', status: 'sold', payout: '120.50', subid: 'spring', sub1: 'fb' }),
  ).toBe(200)
  expect(await hit(address, { tid: 'G-2', status: 'sold', payout: 'much' })).toBe(422)

  await page.goto(`${api.url}/leads?tab=postbacks`)
  await choose(page, 'Filter by source', 'Gamma')
  await expect(rowOf(page, 'G-1')).toContainText('Unknown stream')
  await expect(rowOf(page, 'G-2')).toContainText('A value cannot be read')
  await expect(rowOf(page, 'G-2').getByRole('button', { name: /^Replay/ })).toHaveCount(0)
  await choose(page, 'Filter by outcome', 'Created')
  await expect(page).toHaveURL(/outcome=created/)
  await expect(rows(page)).toHaveCount(1)
  await page.goBack()
  await expect(rows(page)).toHaveCount(2)
  await choose(page, 'Filter by reason', 'A value cannot be read')
  await expect(rows(page)).toHaveCount(1)
  await page.goBack()

  await rows(page).first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const detail = page.getByRole('dialog', { name: 'G-1' })
  await expect(detail).toContainText('No stream of this source has the id or name spring.')
  const params = detail.getByRole('region', { name: 'Parameters' })
  for (const said of ['120.50', 'spring', 'fb', 'sold']) await expect(params).toContainText(said)
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

test.describe('the key', () => {
  test.use({ expectedStatus: [500] })

  test('is copied with its address, and a new one ends the old address', async ({ page, api, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await newSource(api, 'Delta')
    await openSigned(page, api, '/settings/cpa-websites')
    const old = await addressOf(page, 'Delta')
    await page.getByRole('button', { name: 'Copy' }).click()
    await expect(page.getByText('Address copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(old)

    const dialog = page.getByRole('dialog', { name: 'Edit CPA source' })
    const rotate = dialog.getByRole('button', { name: 'Rotate key' })
    const sure = page.getByRole('alertdialog', { name: 'Rotate the key of this source?' })
    const code = dialog.locator('code')
    await dialog.getByLabel('Name', { exact: true }).fill('Delta two')
    await pressOn(page, rotate)
    await page.keyboard.press('Escape')
    await expect(sure).toHaveCount(0)
    await expect(code).toHaveText(old)
    const undo = await answer(page, '/api/admin/cpa-sources/*/rotate-postback-key/', {
      status: 500,
      body: { detail: 'The database is away' },
    })
    await rotate.click()
    await sure.getByRole('button', { name: 'Rotate key' }).click()
    const failed = page.getByRole('alertdialog', { name: 'Failed to rotate the key. Please try again.' })
    await expect(failed).toContainText('The database is away')
    await page.keyboard.press('Escape')
    await undo()
    await rotate.click()
    await sure.getByRole('button', { name: 'Rotate key' }).click()
    await expect(page.getByText('Key rotated')).toBeVisible()
    await expect(code).not.toHaveText(old)
    const next = (await code.textContent()) ?? ''
    // What was typed before is still there.
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Delta two')
    const said = { tid: 'D-1', status: 'sold', payout: '1' }
    expect(await hit(old, said)).toBe(404)
    expect(await hit(next, said)).toBe(200)
  })
})

test('a template made on the screen tells its tracker; what was refused is sent once more', async ({
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

  await openSigned(page, api, '/streams')
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
    const said = { tid, status, payout: '99.9', subid: 'Winter', sub1: 'click 7' }
    expect(await hit(address, said)).toBe(200)
  }
  const last = rowOf(page, 'O-2')
  await expect(async () => {
    await page.goto(`${api.url}/leads?tab=outgoing`)
    await expect(last).toContainText('400', { timeout: 5000 })
  }).toPass()
  await expect(rows(page)).toHaveCount(1)
  await expect(last).toContainText(`${tracker.url}/in?id=click%207`.slice(0, 30))
  expect(tracker.told.at(-1)).toBe('/in?id=click%207&sum=99.9')

  tracker.status = 200
  await pressOn(page, last.getByRole('button', { name: /^Retry/ }))
  await expect(page.locator('tr:is(:focus, :focus-within)').filter({ hasText: 'O-2' })).toHaveCount(1)
  await expect(async () => {
    await page.reload()
    await expect(last).toContainText('Sent', { timeout: 5000 })
  }).toPass()
  await expect(last.getByRole('button', { name: /^Retry/ })).toHaveCount(0)
  await choose(page, 'Filter by status', 'Sent')
  await expect(page).toHaveURL(/status=sent/)
  await last.getByRole('cell').nth(1).click()
  const detail = page.getByRole('dialog', { name: 'O-2' })
  await expect(detail).toContainText(`${tracker.url}/in?id=click%207&sum=99.9`)
  await detail.getByRole('link', { name: 'O-2' }).click()
  await expect(page.getByRole('dialog', { name: 'O-2' })).toContainText('click 7')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/leads$/)
})
