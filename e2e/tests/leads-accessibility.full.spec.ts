import type { Page } from '@playwright/test'
import type { Api } from '../src/api.ts'
import { selectAlternately, selectThemes, variants } from '../src/extent.ts'
import { expect, openSignedIn, test } from '../src/keyboard.ts'
import { expectAccessible, expectNoHorizontalScroll } from '../src/test.ts'

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click()
const firstRow = (page: Page) => page.locator('tr[data-key]').first().getByRole('cell').nth(1).click()
const dialog = (page: Page) => page.getByRole('dialog')

/** Every screen about leads, and what opens in it. */
const states: { path: string; open?: (page: Page) => Promise<unknown> }[] = [
  { path: '/leads' },
  {
    path: '/leads?column=sold',
    async open(page) {
      await firstRow(page)
      await expect(dialog(page).getByRole('list', { name: 'History' })).toBeVisible()
    },
  },
  {
    path: '/leads?size=25',
    async open(page) {
      await page.locator('tr[data-key]').first().getByRole('checkbox').check()
      await press(page, 'Change state')
      await dialog(page).getByRole('button', { name: 'Change state' }).click()
      await expect(dialog(page).getByText('Status is required')).toBeVisible()
    },
  },
  {
    path: '/leads?tab=unmapped',
    async open(page) {
      await page
        .getByRole('combobox', { name: /^Status for / })
        .first()
        .click()
      await expect(page.getByRole('listbox')).toBeVisible()
    },
  },
  { path: '/leads?tab=postbacks' },
  {
    path: '/leads?tab=postbacks&reason=unknown_stream',
    async open(page) {
      await firstRow(page)
      await expect(dialog(page).getByRole('region', { name: 'Parameters' })).toBeVisible()
    },
  },
  { path: '/leads?tab=outgoing' },
  {
    path: '/leads?tab=outgoing&status=queued',
    async open(page) {
      await firstRow(page)
      await expect(dialog(page)).toBeVisible()
    },
  },
  { path: '/leads?tab=templates' },
  {
    path: '/leads?tab=templates&page=1',
    async open(page) {
      await press(page, 'New postback template')
      await expect(dialog(page).getByText('{offer_name}')).toBeVisible()
    },
  },
  {
    path: '/settings/cpa-websites',
    async open(page) {
      await firstRow(page)
      await expect(dialog(page).getByRole('button', { name: 'Rotate key' })).toBeVisible()
    },
  },
  { path: '/statistics?tab=streams' },
]

/** Creates a postback of each kind. One of them has a tracker that does not exist. */
async function sendPostbacks(api: Api): Promise<void> {
  type Stream = { id: number; name: string; source_id: number }
  const { items: streams } = await api.call<{ items: Stream[] }>('GET', '/api/admin/streams/?per_page=1')
  const [stream] = streams
  if (!stream) throw new Error('The demo has no stream')
  const url = 'https://tracker.invalid/in?id={sub1}'
  await api.call('POST', '/api/admin/postback-templates/', { name: 'Keitaro', stream_id: stream.id, url })
  const source = await api.call<{ postback_key: string }>(
    'GET',
    `/api/admin/cpa-sources/${stream.source_id}/`,
  )
  const postbacks: Record<string, string>[] = [
    { tid: 'look-1', status: 'sold', payout: '1000', subid: stream.name },
    { tid: 'look-1', status: 'sold', payout: '1000', subid: stream.name },
    { tid: 'look-2', status: 'sold', payout: '1000', subid: 'nowhere' },
    { tid: 'look-3', status: 'sold', payout: 'much' },
  ]
  for (const params of postbacks) {
    await fetch(`${api.url}/api/postback/${source.postback_key}?${new URLSearchParams(params).toString()}`)
  }
}

test.setTimeout(180_000)
test.beforeAll(async ({ api }) => sendPostbacks(api))

for (const [index, width] of [360, 1440].entries()) {
  test(
    `the screens of leads, unmapped statuses and postbacks are accessible and do not overflow at ${width} px`,
    variants,
    async ({ page, api }) => {
      await page.setViewportSize({ width, height: 900 })
      for (const { path, open } of selectAlternately(states, index)) {
        await page.emulateMedia({ colorScheme: 'light' })
        await openSignedIn(page, api, path)
        await expect(page.locator('table[aria-busy=true]')).toHaveCount(0)
        const tab = page.getByRole('tab', { selected: true })
        // Positions are fractions of a pixel, so the browser may place one pixel out of view.
        await expect(tab, `the tab of ${path}`).toBeInViewport({ ratio: 0.98 })
        await open?.(page)
        for (const colorScheme of selectThemes(width)) {
          await page.emulateMedia({ colorScheme })
          await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
          await expectAccessible(page, `${path}, ${colorScheme}, ${width} px`)
          await expectNoHorizontalScroll(page, `${path}, ${colorScheme}, ${width} px`)
        }
      }
    },
  )
}
