import type { Page } from '@playwright/test'
import { createList, dialogOf, expect, holdWrites, isWrite, mockAnswer, test } from '../src/bare.ts'

test.use({
  expectedStatus: [400, 404, 500],
  expectedText: ['net::ERR_', 'Failed to load resource'],
})

test.describe('A host with exports', () => {
  test.use({ features: ['exports'] })

  test('an export whose code cannot be loaded says so', async ({ page, open }) => {
    await page.route('**/export.run*.js', (route) => route.abort())
    await open('/offers', 'admin')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    await expect(page.getByRole('alert')).toContainText('Export failed')
  })
})

/** The rows without those that are shown while a list loads. */
const rowsOf = (page: Page) => page.locator('tr[data-key]')

const alert = (id: number) => ({
  id,
  rule: {
    id,
    kind: 'metric',
    name: `Rule ${id}`,
    metric: 'leads',
    period: 'today',
    condition: 'below',
    against: 'value',
    source_ids: [],
    offer_ids: [],
    stream_ids: [],
    buyer_ids: [],
    muted: false,
  },
  subject: { kind: 'rule', id: 0, name: null },
  value: 1,
  threshold: 2,
  base: null,
  began_at: '2026-11-01T10:00:00+05:00',
  ended_at: null,
  is_read: true,
  snoozed_until: null,
})

test.describe('A host with alerts', () => {
  test.use({ features: ['alerts'] })
  test.beforeEach(async ({ page }) => {
    await mockAnswer(page, '/api/inbox/unread/', { body: { unread: 0 } })
    await mockAnswer(page, '/api/inbox/?*', { body: createList(alert(1), alert(2)) })
  })

  test('a change of an alert that was closed meanwhile does not replace the open one', async ({
    page,
    open,
  }) => {
    const answer = await holdWrites(page, '/api/inbox/1/snooze/')
    await open('/alerts', 'admin')
    await rowsOf(page).first().click()
    await expect(dialogOf(page)).toHaveAccessibleName('Rule 1')
    await dialogOf(page).getByRole('button', { name: 'Snooze' }).click()
    const snooze = page.waitForRequest(isWrite('/snooze/'))
    await page.getByRole('menuitem', { name: 'For an hour' }).click()
    await snooze
    await page.keyboard.press('Escape')
    await expect(dialogOf(page)).toHaveCount(0)
    await rowsOf(page).nth(1).click()
    await expect(dialogOf(page)).toHaveAccessibleName('Rule 2')
    answer(200, { snoozed_until: '2026-11-01T11:00:00+05:00' })
    await expect(page.getByText('Alert snoozed.')).toBeVisible()
    await expect(dialogOf(page)).toHaveAccessibleName('Rule 2')
  })

  test('a late answer to a snooze does not undo the mute that came after it', async ({ page, open }) => {
    const answer = await holdWrites(page, '/api/inbox/1/snooze/')
    await mockAnswer(page, '/api/alert-rules/1/mute/', { body: { muted: true } })
    await open('/alerts', 'admin')
    await rowsOf(page).first().click()
    await dialogOf(page).getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: 'For an hour' }).click()
    await dialogOf(page).getByRole('button', { name: 'Mute the rule' }).click()
    await expect(dialogOf(page).getByRole('button', { name: 'Unmute the rule' })).toBeVisible()
    answer(200, { snoozed_until: '2026-11-01T11:00:00+05:00' })
    await expect(page.getByText('Alert snoozed.')).toBeVisible()
    await expect(dialogOf(page).getByRole('button', { name: 'Unmute the rule' })).toBeVisible()
  })

  test('an action without a connection fails at once and is not sent later', async ({
    page,
    context,
    open,
  }) => {
    await open('/alerts', 'admin')
    await expect(rowsOf(page)).toHaveCount(2)
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('Failed to mark alerts as read.')
  })

  test('two clicks before the page is drawn again send one request', async ({ page, open }) => {
    const answer = await holdWrites(page, '/api/inbox/read/')
    const urls: string[] = []
    page.on('request', (request) => {
      if (isWrite('/inbox/read/')(request)) urls.push(request.url())
    })
    await open('/alerts', 'admin')
    const button = page.getByRole('button', { name: 'Mark all as read' })
    await expect(button).toBeVisible()
    await button.evaluate(async (element: HTMLButtonElement) => {
      element.click()
      // The next event of a busy page comes before its timers.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
      element.click()
    })
    await expect(page.getByRole('button', { name: 'Marking...' })).toBeVisible()
    await expect.poll(() => urls).toHaveLength(1)
    answer(200, { unread: 0 })
    await expect(button).toBeEnabled()
    expect(urls).toHaveLength(1)
  })
})

const difference = {
  id: 7,
  kind: 'unknown_order',
  status: 'open',
  orderno: 'LOST-1',
  parcel_id: null,
  act: null,
  line_id: null,
  courier_account_id: 1,
  courier_account: { id: 1, name: 'Courier' },
  expected: null,
  actual: null,
  difference: 5,
  currency: 'UZS',
  assignee_id: null,
  assignee: null,
  reason: null,
  resolved_by: null,
  resolved_at: null,
  notes_total: 0,
  notes: [],
  created_at: '2026-11-01T10:00:00+05:00',
  updated_at: '2026-11-01T10:00:00+05:00',
}

test.describe('A host with settlements', () => {
  test.use({ features: ['payouts', 'settlements'] })

  test('a note about a difference is kept while the assignee is saved, and after a conflict', async ({
    page,
    open,
  }) => {
    let stored: object = difference
    await mockAnswer(page, '/api/admin/settlement-differences/?*', { body: createList(difference) })
    const people = createList({ id: 5, name: 'Dilnoza' })
    await mockAnswer(page, '/api/admin/users/?*', { body: people })
    await mockAnswer(page, '/api/admin/settlement-differences/7/', async (route) => {
      if (route.request().method() !== 'GET') {
        const body = route.request().postDataJSON() as { note?: string; updated_at: string }
        if (body.note !== undefined) {
          stored = { ...stored, updated_at: '2026-11-01T12:00:00+05:00' }
          return route.fulfill({ status: 400, json: { detail: 'Somebody changed it' } })
        }
        stored = {
          ...stored,
          assignee_id: 5,
          assignee: { id: 5, name: 'Dilnoza' },
          updated_at: '2026-11-01T11:00:00+05:00',
        }
      }
      await route.fulfill({ json: stored })
    })
    await open('/settlements?tab=differences', 'admin')
    await rowsOf(page).first().click()
    const note = dialogOf(page).getByLabel('Note', { exact: true })
    await note.fill('The courier lost it')
    await dialogOf(page).getByRole('combobox', { name: 'Assignee' }).click()
    await page.getByRole('option', { name: 'Dilnoza' }).click()
    await expect(page.getByText('Assignee saved.')).toBeVisible()
    await expect(note).toHaveValue('The courier lost it')
    const reload = page.waitForResponse(
      (response) => response.url().endsWith('/7/') && response.request().method() === 'GET',
    )
    await dialogOf(page).getByRole('button', { name: 'Save the note' }).click()
    await reload
    await expect(dialogOf(page).getByRole('alert')).toContainText('Somebody changed it')
    await expect(note).toHaveValue('The courier lost it')
  })

  test('an assignee is shown at once, and the one before again when the change is refused', async ({
    page,
    open,
  }) => {
    await mockAnswer(page, '/api/admin/settlement-differences/?*', { body: createList(difference) })
    const people = createList({ id: 5, name: 'Dilnoza' })
    await mockAnswer(page, '/api/admin/users/?*', { body: people })
    await mockAnswer(page, '/api/admin/settlement-differences/7/', { body: difference })
    const answer = await holdWrites(page, '/api/admin/settlement-differences/7/')
    await open('/settlements?tab=differences', 'admin')
    await rowsOf(page).first().click()
    const assignee = dialogOf(page).getByRole('combobox', { name: 'Assignee' })
    await expect(assignee).toHaveValue('Nobody')
    await assignee.click()
    const change = page.waitForRequest(isWrite('/settlement-differences/'))
    await page.getByRole('option', { name: 'Dilnoza' }).click()
    await change
    await expect(assignee).toHaveValue('Dilnoza')
    answer(400, { detail: 'Somebody changed it' })
    await expect(page.getByRole('alert')).toContainText('Somebody changed it')
    await expect(assignee).toHaveValue('Nobody')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  test('two assignees that are chosen one after the other are saved one after the other', async ({
    page,
    open,
  }) => {
    const first = Promise.withResolvers<void>()
    let stored: object = difference
    const versions: string[] = []
    await mockAnswer(page, '/api/admin/settlement-differences/?*', { body: createList(difference) })
    const people = createList({ id: 5, name: 'Dilnoza' }, { id: 6, name: 'Sardor' })
    await mockAnswer(page, '/api/admin/users/?*', { body: people })
    await mockAnswer(page, '/api/admin/settlement-differences/7/', async (route) => {
      if (route.request().method() !== 'GET') {
        const body = route.request().postDataJSON() as { assignee_id: number; updated_at: string }
        versions.push(body.updated_at)
        if (versions.length === 1) await first.promise
        stored = { ...stored, assignee_id: body.assignee_id, updated_at: `version ${versions.length}` }
      }
      await route.fulfill({ json: stored })
    })
    await open('/settlements?tab=differences', 'admin')
    await rowsOf(page).first().click()
    const assignee = dialogOf(page).getByRole('combobox', { name: 'Assignee' })
    for (const name of ['Dilnoza', 'Sardor']) {
      await assignee.click()
      await page.getByRole('option', { name }).click()
      await expect(assignee).toHaveValue(name)
    }
    first.resolve()
    await expect(page.getByText('Assignee saved.')).toHaveCount(2)
    await expect(assignee).toHaveValue('Sardor')
    expect(versions).toEqual([difference.updated_at, 'version 1'])
  })
})
