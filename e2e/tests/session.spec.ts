import {
  createSession,
  dialogOf,
  expect,
  isWrite,
  mockAnswer,
  readStoredSession,
  storeSession,
  test,
} from '../src/bare.ts'

test.use({
  expectedStatus: [401, 404, 500],
  expectedText: ['The own profile could not be loaded'],
})

const corrupt = ['{not json', '"text"', '[]', '{"user":{"username":"admin"}}', '{"token":""}', 'null']
for (const record of corrupt) {
  test(`a stored record that reads ${record} is no session`, async ({ page, open }) => {
    await storeSession(page, record)
    await open('/offers')
    await expect(page).toHaveURL(/\/login$/)
  })
}

for (const spelling of ['is_active', 'isActive']) {
  test(`a stored user with ${spelling}, created_at and updated_at is read`, async ({ page, open }) => {
    await mockAnswer(page, '/parcel/auth/me', { status: 500 })
    const { user, token } = createSession('admin')
    const { is_active, ...rest } = user
    await storeSession(page, {
      token,
      user: { ...rest, [spelling]: is_active, created_at: '2026-11-01', updated_at: '2026-11-01' },
    })
    await open('/parcels')
    await expect(page.getByRole('button', { name: /^Admin: profile/ })).toBeVisible()
    await expect(page.getByRole('link', { name: 'User Management' })).toBeVisible()
  })
}

test('the layout loads the profile, and keeps the stored user if the call fails', async ({ page, open }) => {
  const consoleTexts: string[] = []
  page.on('console', (message) => consoleTexts.push(message.text()))
  await mockAnswer(page, '/parcel/auth/me', {
    body: { id: 2, username: 'buyer', name: 'Renamed', role: 'buyer' },
  })
  await open('/parcels', 'buyer')
  await expect(page.getByRole('button', { name: /^Renamed: profile/ })).toBeVisible()
  await mockAnswer(page, '/parcel/auth/me', { status: 500, body: { detail: 'down' } })
  await page.reload()
  await expect(page.getByRole('button', { name: /^Renamed: profile/ })).toBeVisible()
  await expect.poll(() => consoleTexts.join('\n')).toContain('The own profile could not be loaded')
  expect(await readStoredSession(page)).toMatchObject({ user: { name: 'Renamed', role: 'buyer' } })
})

const ends = [
  { screen: '/parcels', call: '/api/parcel/parcels/all?*' },
  { screen: '/offers', call: '/api/admin/offers/?*' },
  { screen: '/statistics', call: '/api/admin/report/daily?*' },
  { screen: '/components-demo', call: '/parcel/auth/me' },
]
for (const { screen, call } of ends) {
  test(`a 401 from ${call} removes the session and goes to /login`, async ({ page, open }) => {
    await mockAnswer(page, call, { status: 401, body: { detail: 'gone' } })
    await open(screen, 'admin')
    await expect(page).toHaveURL(/\/login$/)
    expect(await readStoredSession(page)).toBeNull()
  })
}

test('a save that ends the session leaves no alert over the sign-in page', async ({ page, open }) => {
  await mockAnswer(page, '/api/admin/streams/**', (route) =>
    isWrite('/')(route.request())
      ? route.fulfill({ status: 401, json: { detail: 'gone' } })
      : route.fallback(),
  )
  await open('/streams', 'admin')
  await page.locator('tr[data-key]').first().click()
  await dialogOf(page).getByLabel('Name', { exact: true }).fill('Another name')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/login$/)
  const username = page.getByLabel('Имя пользователя')
  await username.click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(username).toBeFocused()
})

test('Sign out removes the session and goes to /login, even if the host lacks the call', async ({
  page,
  open,
}) => {
  await open('/offers', 'admin')
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await readStoredSession(page)).toBeNull()
  await page.goBack()
  await expect(page).toHaveURL(/\/login$/)
})
