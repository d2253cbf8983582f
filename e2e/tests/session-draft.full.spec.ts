import type { Page } from '@playwright/test'
import {
  createList,
  createSession,
  dialogOf,
  expect,
  isWrite,
  mockAnswer,
  readStoredSession,
  test,
} from '../src/bare.ts'
import { submitSignIn } from '../src/test.ts'

test.use({ expectedStatus: [401, 404] })

/** Opens the form of a person, and types a new name. */
async function typeName(page: Page) {
  await page.getByRole('row').filter({ hasText: 'buyer@example.org' }).first().click()
  const name = dialogOf(page).getByLabel('Name', { exact: true })
  await expect(name).toHaveValue('Buyer')
  await name.fill('Dilnoza')
}

/** Types a new name and a password into the form of a person, and saves it when the session has ended. */
async function saveAfterSessionEnd(page: Page) {
  await typeName(page)
  await dialogOf(page).getByLabel('Password', { exact: true }).fill('new-password-1')
  await endSessionBy(page, '/api/admin/users/**', () =>
    dialogOf(page).getByRole('button', { name: 'Save' }).click(),
  )
}

/** Answers writes with 401. Returns a function that ends this. */
const refuseWrites = (page: Page, path: string) =>
  mockAnswer(page, path, (route) =>
    isWrite('/')(route.request())
      ? route.fulfill({ status: 401, json: { detail: 'gone' } })
      : route.fallback(),
  )

/** Answers the writes of an action, and the profile call that checks the session, with 401. */
async function endSessionBy(page: Page, path: string, action: () => Promise<void>) {
  const undo = await refuseWrites(page, path)
  const undoProfile = await mockAnswer(page, '/parcel/auth/me', { status: 401 })
  await action()
  await expect(page).toHaveURL(/\/login$/)
  await expect(dialogOf(page)).toHaveCount(0)
  await undo()
  await undoProfile()
}

const signIn = (page: Page, username: string) => submitSignIn(page, username, 'secret')

test('a form whose session ended opens again with its input when the same person signs in, without secrets', async ({
  page,
  open,
}) => {
  await open('/users?search=buyer', 'admin')
  await saveAfterSessionEnd(page)
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('Dilnoza')
  await signIn(page, 'admin')
  await expect(page).toHaveURL(/\/users\?search=buyer$/)
  await expect(dialogOf(page).getByLabel('Name', { exact: true })).toHaveValue('Dilnoza')
  await expect(dialogOf(page).getByLabel('Email')).toHaveValue('buyer@example.org')
  await expect(dialogOf(page).getByLabel('Password', { exact: true })).toHaveValue('')
  const save = page.waitForRequest(isWrite('/api/admin/users/'))
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  expect((await save).postDataJSON()).toMatchObject({ name: 'Dilnoza' })
  await expect(dialogOf(page)).toHaveCount(0)

  await page.getByRole('row').filter({ hasText: 'buyer@example.org' }).first().click()
  await expect(dialogOf(page).getByLabel('Name', { exact: true })).toHaveValue('Buyer')
})

test('the input of a form whose session ended is not shown to another person, nor later to its own', async ({
  page,
  open,
}) => {
  await open('/users', 'admin')
  await saveAfterSessionEnd(page)
  await signIn(page, 'buyer')
  await expect(page).toHaveURL(/\/parcels$/)
  await expect(dialogOf(page)).toHaveCount(0)
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(page, 'admin')
  await expect(page).toHaveURL(/\/parcels$/)
  await page.getByRole('link', { name: 'User Management' }).click()
  await page.getByRole('row').filter({ hasText: 'buyer@example.org' }).first().click()
  await expect(dialogOf(page).getByLabel('Name', { exact: true })).toHaveValue('Buyer')
})

test('a tab that missed a sign-out saves nothing as the person who signed in meanwhile, and closes the form', async ({
  page,
  open,
}) => {
  await open('/users?search=buyer', 'admin')
  await typeName(page)
  // The page that stores a session gets no event, as a frozen tab gets none.
  const buyer = createSession('buyer')
  await page.evaluate((record) => localStorage.setItem('emu_auth', record), JSON.stringify(buyer))
  await mockAnswer(page, '/parcel/auth/me', { body: buyer.user })
  await refuseWrites(page, '/api/admin/users/*')
  const save = page.waitForRequest(isWrite('/api/admin/users/'))
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  expect((await save).headers()['authorization']).toBe('Bearer token-of-admin')
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Buyer: profile/ })).toBeVisible()
  expect(await readStoredSession(page)).toMatchObject({ token: buyer.token })
})

test('a tab that missed a sign-out shows the pages of the person who signed in, once a person returns to it', async ({
  page,
  open,
}) => {
  await open('/users?search=buyer', 'admin')
  await typeName(page)
  const buyer = createSession('buyer')
  await mockAnswer(page, '/parcel/auth/me', { body: buyer.user })
  await page.evaluate((record) => {
    localStorage.setItem('emu_auth', record)
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  }, JSON.stringify(buyer))
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Buyer: profile/ })).toBeVisible()
})

test('a sign-in after a session that ended without input opens the parcels', async ({ page, open }) => {
  await open('/users', 'admin')
  await page.getByRole('row').filter({ hasText: 'buyer@example.org' }).first().click()
  await endSessionBy(page, '/api/admin/users/**', () =>
    dialogOf(page).getByRole('button', { name: 'Save' }).click(),
  )
  await signIn(page, 'admin')
  await expect(page).toHaveURL(/\/parcels$/)
})

test.describe('A host with alerts', () => {
  test.use({ features: ['alerts'] })

  test('the input of a new row whose session ended opens again in its own kind of form', async ({
    page,
    open,
  }) => {
    await mockAnswer(page, '/api/inbox/unread/', { body: { unread: 0 } })
    await mockAnswer(page, '/api/alert-rules/?*', { body: createList() })
    await open('/alerts?tab=rules', 'admin')
    await page.getByRole('button', { name: 'New rule' }).click()
    await page.getByRole('menuitem').nth(1).click()
    const title = await dialogOf(page).getByRole('heading').first().textContent()
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('Night')
    await dialogOf(page)
      .getByLabel(/hours|minutes/i)
      .first()
      .fill('5')
    await endSessionBy(page, '/api/alert-rules/**', () =>
      dialogOf(page).getByRole('button', { name: 'Save' }).click(),
    )
    await signIn(page, 'admin')
    await expect(page).toHaveURL(/\/alerts\?tab=rules$/)
    await expect(dialogOf(page).getByRole('heading').first()).toHaveText(title ?? '')
    await expect(dialogOf(page).getByLabel('Name', { exact: true })).toHaveValue('Night')
  })
})

test.describe('A host with Explore and alerts', () => {
  test.use({ features: ['alerts', 'explore'] })

  test('the rule of a figure whose session ended opens again over its figure, and leads back there once', async ({
    page,
    open,
  }) => {
    await mockAnswer(page, '/api/inbox/unread/', { body: { unread: 0 } })
    await open('/explore?rows=offer', 'admin')
    await page.getByRole('button', { name: 'Alert me' }).click()
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('Night')
    await dialogOf(page).getByLabel('Threshold').fill('5')
    await endSessionBy(page, '/api/alert-rules/**', () =>
      dialogOf(page).getByRole('button', { name: 'Save' }).click(),
    )
    await signIn(page, 'admin')
    await expect(page).toHaveURL(/\/explore\?rows=offer$/)
    await expect(dialogOf(page).getByLabel('Name', { exact: true })).toHaveValue('Night')
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(dialogOf(page)).toHaveCount(0)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expect(page).toHaveURL(/\/parcels$/)
  })
})
