import type { Page } from '@playwright/test'
import { createList, dialogOf, expect, holdWrites, isWrite, mockAnswer, test } from '../src/bare.ts'

test.use({
  expectedStatus: [400, 404, 500],
  expectedText: ['net::ERR_', 'Failed to load resource'],
})

test.describe('A host with saved views', () => {
  test.use({ features: ['saved_views'] })
  const view = { id: 3, name: 'Best', address: '/offers?search=Kettle', is_own: true, is_default: false }
  const saved = { ...view, screen: '/offers', shared_role_ids: [], owner: null, schedule: null }
  test.beforeEach(({ page }) => mockAnswer(page, '/api/views/?*', { body: createList() }))

  const saveView = async (page: Page) => {
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Views/ })
      .click()
    const panel = page.getByRole('dialog', { name: 'Views' })
    await panel.getByRole('button', { name: 'Save as a new view' }).click()
    await panel.getByLabel('Name').fill('Best')
    const save = page.waitForRequest(isWrite('/views/'))
    await page.keyboard.press('Enter')
    await save
  }

  test('a view that is saved after the page was left does not open on the next page', async ({
    page,
    open,
  }) => {
    const answer = await holdWrites(page, '/api/views/')
    await open('/offers?search=Kettle', 'admin')
    await saveView(page)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Streams', exact: true }).click()
    await expect(page.getByRole('table', { name: 'Streams' })).toBeVisible()
    const response = page.waitForResponse((found) => isWrite('/views/')(found.request()))
    answer(201, saved)
    await response
    await page.waitForTimeout(300)
    expect(new URL(page.url()).search).toBe('')
  })

  test('a view that could not be saved says so although its panel was closed', async ({ page, open }) => {
    const answer = await holdWrites(page, '/api/views/')
    await open('/offers?search=Kettle', 'admin')
    await saveView(page)
    await page.keyboard.press('Escape')
    answer(500, { detail: 'The disk is full' })
    await expect(page.getByRole('alert')).toContainText('The disk is full')
  })
})

test.describe('A host with profiles', () => {
  test.use({ features: ['profile'] })

  test('a name that is typed is kept while the password is changed', async ({ page, open }) => {
    let profile = { id: 1, name: 'Admin', email: 'admin@example.org', updatedAt: '1' }
    await mockAnswer(page, '/parcel/auth/profile', async (route) => {
      if (route.request().method() !== 'GET') profile = { ...profile, updatedAt: '2' }
      await route.fulfill({ json: profile })
    })
    await open('/profile', 'admin')
    const name = page.getByLabel('Name', { exact: true })
    await expect(name).toHaveValue('Admin')
    await name.fill('Dilnoza')
    const form = page.getByRole('region', { name: 'Password' })
    await form.getByLabel('Current password').fill('old-password')
    await form.getByLabel('New password', { exact: true }).fill('new-password-1')
    await form.getByLabel('Repeat').fill('new-password-1')
    const reload = page.waitForResponse(
      (response) => response.url().endsWith('/profile') && response.request().method() === 'GET',
    )
    await form.getByRole('button', { name: 'Change' }).click()
    await reload
    await expect(form.getByLabel('Current password')).toHaveValue('')
    await expect(name).toHaveValue('Dilnoza')
  })
})

test.describe('A host with profiles whose connection is lost', () => {
  test.use({ features: ['profile'] })

  test('a name that is typed stays when the code that keeps drafts cannot be loaded', async ({
    page,
    context,
    open,
  }) => {
    await mockAnswer(page, '/parcel/auth/profile', {
      method: 'GET',
      body: { id: 1, name: 'Admin', email: 'admin@example.org' },
    })
    await open('/profile', 'admin')
    const name = page.getByLabel('Name', { exact: true })
    await expect(name).toHaveValue('Admin')
    await context.setOffline(true)
    await name.fill('Dilnoza')
    await page.getByRole('region', { name: 'Own details' }).getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' })).toBeVisible()
    await expect(name).toHaveValue('Dilnoza')
  })
})

test.describe('A host with notes', () => {
  test.use({ features: ['parcel_problems'] })

  test('a note that is begun while the one before is saved stays', async ({ page, open }) => {
    const answer = await holdWrites(page, '/api/parcel/parcels/1/notes/')
    await open('/parcels?period=any&id=1', 'admin')
    const note = page.getByLabel('Заметка')
    await note.fill('First')
    const save = page.waitForRequest(isWrite('/notes/'))
    await page.getByRole('button', { name: 'Добавить заметку' }).click()
    await save
    await note.fill('Second')
    answer(201, {
      id: 1,
      text: 'First',
      user: { id: 1, name: 'Admin' },
      created_at: '2026-11-21T10:00:00+05:00',
    })
    await expect(page.getByText('First')).toBeVisible()
    await expect(note).toHaveValue('Second')
  })
})

test.describe('A host with Telegram', () => {
  test.use({ features: ['profile', 'telegram'] })

  test('two choices of notices stay as they were chosen while they are saved', async ({ page, open }) => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let link: object = {
      available: true,
      bot: null,
      linked: true,
      problems: false,
      delivered: false,
      digest: false,
      money: false,
      alerts: false,
      muted: false,
      muted_until: null,
      code: null,
      code_until: null,
    }
    let saves = 0
    await mockAnswer(page, '/parcel/auth/telegram/', async (route) => {
      if (route.request().method() !== 'GET') {
        saves += 1
        await gates[saves - 1]?.promise
        link = { ...link, ...(route.request().postDataJSON() as object) }
      }
      await route.fulfill({ json: link })
    })
    await open('/profile', 'admin')
    const delivered = page.getByLabel('A parcel of mine was delivered')
    const digest = page.getByLabel('Every morning, how yesterday went')
    await delivered.check()
    await digest.check()
    await expect(digest).toBeChecked()
    await expect(delivered).toBeChecked()
    const first = page.waitForResponse((response) => isWrite('/telegram/')(response.request()))
    gates[0]?.resolve()
    await first
    const second = page.waitForResponse((response) => isWrite('/telegram/')(response.request()))
    gates[1]?.resolve()
    await second
    await expect(digest).toBeChecked()
    await expect(delivered).toBeChecked()
    expect(link).toMatchObject({ delivered: true, digest: true })
  })
})

test.describe('A host that fetches', () => {
  test.use({ features: ['fetching'] })

  test('a text field does not become a select while a person types into it', async ({ page, open }) => {
    const gate = Promise.withResolvers<void>()
    await mockAnswer(page, '/api/admin/connectors/?*', async (route) => {
      await gate.promise
      await route.fulfill({ json: createList({ id: 1, code: 'own', name: 'Own connector' }) })
    })
    await open('/settings/cpa-websites?tab=credentials', 'admin')
    await page.getByRole('button', { name: /^New / }).click()
    await expect(dialogOf(page).getByRole('status', { name: 'Loading...' })).toBeVisible()
    await page.keyboard.type('Desk')
    gate.resolve()
    await expect(dialogOf(page).getByRole('combobox', { name: 'Connector' })).toBeVisible()
    await expect(dialogOf(page).getByRole('textbox').first()).toHaveValue('Desk')
  })
})
