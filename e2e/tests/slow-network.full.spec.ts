import type { Page } from '@playwright/test'
import { dialogOf, expect, holdWrites, isWrite, mockAnswer, test } from '../src/bare.ts'

test.use({
  expectedStatus: [400, 404, 500],
  expectedText: ['net::ERR_', 'Failed to load resource'],
})

/** Opens the form of a person and types a new name. */
async function renamePerson(page: Page) {
  await page.getByRole('row').filter({ hasText: 'buyer@example.org' }).first().click()
  const name = dialogOf(page).getByLabel('Name', { exact: true })
  await expect(name).toHaveValue('Buyer')
  await name.fill('Dilnoza')
  return name
}

test('a form stays open while its save runs, so that a late failure is read and the input is kept', async ({
  page,
  open,
}) => {
  const answer = await holdWrites(page, '/api/admin/users/**')
  await open('/users', 'admin')
  const name = await renamePerson(page)
  const save = page.waitForRequest(isWrite('/users/'))
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await save
  await page.keyboard.press('Escape')
  await dialogOf(page).getByRole('button', { name: 'Close' }).click({ force: true })
  await page.mouse.click(5, 5)
  answer(500, { detail: 'The disk is full' })
  await expect(dialogOf(page).getByRole('alert')).toContainText('The disk is full')
  await expect(name).toHaveValue('Dilnoza')
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
})

test('a form takes no input while its save runs, because the save would not have it', async ({
  page,
  open,
}) => {
  const answer = await holdWrites(page, '/api/admin/users/**')
  await open('/users', 'admin')
  const name = await renamePerson(page)
  const save = page.waitForRequest(isWrite('/users/'))
  await name.press('Enter')
  await save
  await page.keyboard.type(' A.')
  await expect(name).toHaveValue('Dilnoza')
  answer(500)
  await expect(dialogOf(page).getByRole('alert')).toBeVisible()
  await name.fill('Dilnoza A.')
})

test('a save that fails after its page was left says so', async ({ page, open }) => {
  const answer = await holdWrites(page, '/api/admin/users/**')
  await open('/offers', 'admin')
  await page.getByRole('link', { name: 'User Management' }).click()
  await renamePerson(page)
  const save = page.waitForRequest(isWrite('/users/'))
  await page.keyboard.press('Enter')
  await save
  await page.goBack()
  await expect(dialogOf(page)).toHaveCount(0)
  answer(500, { detail: 'The disk is full' })
  await expect(page.getByRole('alert')).toContainText('The disk is full')
})

test('a form keeps what was typed when the connection comes back', async ({ page, context, open }) => {
  await open('/users', 'admin')
  const name = await renamePerson(page)
  const reload = page.waitForResponse('**/api/admin/users/?*')
  await context.setOffline(true)
  await context.setOffline(false)
  await reload
  await expect(name).toHaveValue('Dilnoza')
})

test('a list says that the server cannot be reached, and loads by itself when the connection comes back', async ({
  page,
  context,
  open,
}) => {
  await open('/offers', 'admin')
  await expect(page.getByRole('row').filter({ hasText: 'Kettle' }).first()).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('searchbox').fill('Kett')
  await expect(page.getByRole('alert')).toContainText('The server cannot be reached.')
  await context.setOffline(false)
  await expect(page.getByRole('row').filter({ hasText: 'Kettle' }).first()).toBeVisible()
})

test('the rows of a list stay when a later load fails, with a notice and a way to try again', async ({
  page,
  context,
  open,
}) => {
  await open('/offers', 'admin')
  const row = page.getByRole('row').filter({ hasText: 'Kettle' }).first()
  await expect(row).toBeVisible()
  const undo = await mockAnswer(page, '/api/admin/offers/?*', {
    status: 500,
    body: { detail: 'The disk is full' },
  })
  const notice = page.getByRole('status').filter({ hasText: 'The rows may be out of date.' })
  // A connection that comes back reloads what is shown.
  await context.setOffline(true)
  await context.setOffline(false)
  await expect(notice).toContainText('Failed to load offers. Please try again.')
  await expect(notice).toContainText('The disk is full')
  await expect(notice).toBeInViewport()
  await expect(row).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Страницы' })).toBeVisible()
  await undo()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(notice).toHaveCount(0)
  await expect(row).toBeVisible()
})

test('an error replaces the rows when those of another search cannot be loaded', async ({ page, open }) => {
  await open('/offers', 'admin')
  await expect(page.getByRole('row').filter({ hasText: 'Kettle' }).first()).toBeVisible()
  await mockAnswer(page, '/api/admin/offers/?*', { status: 500 })
  await page.getByRole('searchbox').fill('Kett')
  await expect(page.getByRole('alert')).toContainText('Failed to load offers. Please try again.')
  await expect(page.getByRole('row').filter({ hasText: 'Kettle' })).toHaveCount(0)
})

test('text typed just before a page is left does not search on the next page', async ({ page, open }) => {
  const gate = Promise.withResolvers<void>()
  await page.route('**/streams.page*.js', async (route) => {
    await gate.promise
    await route.continue()
  })
  await open('/offers', 'admin')
  await page.getByRole('searchbox').fill('Kett')
  await page.getByRole('link', { name: 'Streams', exact: true }).click()
  // Longer than the wait of the search for further keys.
  await page.waitForTimeout(500)
  gate.resolve()
  await expect(page.getByRole('table', { name: 'Streams' })).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
})
