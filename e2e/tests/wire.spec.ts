import type { RecordedCall } from '@karvon/testkit/fakes/bare-host.ts'
import { expect, test } from '../src/bare.ts'
import { selectSample, variants } from '../src/extent.ts'
import { fillRequired, openFirst, resourceScreens } from '../src/resources.ts'

const admin = { authorization: 'Bearer token-of-admin' }

type RecordedRequest = () => readonly RecordedCall[]

/** Returns a function that lists the calls during `act`. */
async function callsOf(
  calls: readonly RecordedCall[],
  act: () => Promise<unknown>,
): Promise<RecordedRequest> {
  const before = calls.length
  await act()
  return () => calls.slice(before)
}

/** Waits for the first call that matches. */
async function find(
  listCalls: RecordedRequest,
  method: string,
  path: string,
  size?: string,
): Promise<RecordedCall> {
  const findCall = () =>
    listCalls().find(
      (call) =>
        call.method === method && call.path === path && (!size || Object.values(call.query).includes(size)),
    )
  await expect.poll(findCall, `${method} ${path}`).toBeDefined()
  return findCall() as RecordedCall
}

test('the login is sent as multipart without a token, and every later call carries the token', async ({
  page,
  open,
  bare,
}) => {
  await open('/login')
  const calls = await callsOf(bare.calls, async () => {
    await page.getByLabel('Имя пользователя').fill('admin')
    await page.getByLabel('Пароль', { exact: true }).fill('secret')
    await page.getByRole('button', { name: 'Войти' }).click()
    await page.waitForURL('**/parcels')
  })
  const login = await find(calls, 'POST', '/parcel/auth/login')
  expect(login.headers['content-type']).toMatch(/^multipart\/form-data/)
  expect(login.parts).toEqual({ username: 'admin', password: 'secret' })
  expect(login.headers.authorization).toBeUndefined()
  expect((await find(calls, 'GET', '/parcel/auth/me')).headers).toMatchObject(admin)
  for (const call of calls().filter((entry) => entry !== login))
    expect(call.headers, call.path).toMatchObject(admin)
})

const slashes = new Set(['/users', '/users?tab=roles', '/offers', '/streams'])

for (const { path, list, singular, update, isDeletable, pageSize, ...screen } of selectSample(
  resourceScreens,
)) {
  const item = `${list}1${slashes.has(path) ? '' : '/'}`
  test(
    `${singular}: its calls have the specified verbs, slashes and parameters`,
    variants,
    async ({ page, open, bare }) => {
      const calls = await callsOf(bare.calls, () => open(path, 'admin'))
      // The page size distinguishes the list from the 100 rows of a select.
      const listCall = await find(calls, 'GET', list, String(pageSize))
      if (singular === 'source credential') {
        expect(listCall.query).toEqual({ skip: '0', limit: '10' })
        expect(listCall.headers['x-request-id']).toMatch(/^[\da-f]{32}$/)
      } else expect(listCall.query).toEqual({ page: '1', per_page: String(pageSize) })
      expect(listCall.headers).toMatchObject(admin)

      const dialog = page.getByRole('dialog')
      const openCalls = await callsOf(bare.calls, () => openFirst(page))
      await find(openCalls, 'GET', item)
      await dialog.getByLabel('Name', { exact: true }).fill('Another name')
      const saveCalls = await callsOf(bare.calls, () => dialog.getByRole('button', { name: 'Save' }).click())
      const updateCall = await find(saveCalls, update, item)
      expect(updateCall.headers['content-type']).toBe('application/json')
      expect(updateCall.body).toMatchObject({ name: 'Another name' })
      // A role's type is kept although no form shows it; its sources have either spelling.
      if (singular === 'role') expect(updateCall.body).toMatchObject({ type: 'system', source_ids: [] })
      await expect(dialog).toHaveCount(0)

      await page.getByRole('button', { name: `New ${singular}` }).click()
      await fillRequired(dialog, { path, list, singular, update, isDeletable, pageSize, ...screen })
      const createCalls = await callsOf(bare.calls, () =>
        dialog.getByRole('button', { name: 'Save' }).click(),
      )
      const { body } = await find(createCalls, 'POST', list)
      expect(body).toMatchObject(bodies[singular] ?? {})
      await expect(dialog).toHaveCount(0)

      if (!isDeletable) return
      await openFirst(page)
      await dialog.getByRole('button', { name: 'Delete' }).click()
      const deleteCalls = await callsOf(bare.calls, () =>
        page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click(),
      )
      expect((await find(deleteCalls, 'DELETE', item)).body).toBeUndefined()
    },
  )
}

/** The values that a create must send: wire names, ids and amounts as numbers. */
const bodies: Record<string, Record<string, unknown>> = {
  user: {
    username: 'aziz',
    name: 'Aziz',
    email: 'aziz@example.org',
    password: 'a-long-password',
    role_id: 2,
  },
  role: { name: 'Seller', code: 'seller' },
  'source credential': { name: 'Desk', pass: 'a-password', user_id: 2, source_id: 2 },
  'CPA source': { name: 'Network', url: 'https://network.example' },
  'CPA credential': { name: 'Desk', cpa_source_id: 2 },
  'status type': { name: 'Waiting' },
  status: { name: 'Called', type_id: 1 },
  'source status': { name: 'Called there', source_name: 'called', status_id: 1, source_id: 2 },
  offer: {
    name: 'Lamp',
    price: 199_000,
    affiliate_fee: 40_000.5,
    store_name: 'Home',
    status_id: 1,
    source_id: 2,
  },
  stream: { name: 'Winter', url: 'https://stream.example', source_id: 2, user_id: 2 },
}

test('role source access has its own list, read and update calls', async ({ page, open, bare }) => {
  const list = '/api/admin/role-source-access/'
  const accessCalls = await callsOf(bare.calls, () => open('/users?tab=roles&view=access', 'admin'))
  expect((await find(accessCalls, 'GET', list)).query).toEqual({ page: '1', per_page: '10' })
  const openCalls = await callsOf(bare.calls, () => openFirst(page))
  await find(openCalls, 'GET', `${list}1/`)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Source' }).click()
  await page.getByRole('option', { name: 'Sotuvchi' }).click()
  const saveCalls = await callsOf(bare.calls, () => dialog.getByRole('button', { name: 'Save' }).click())
  expect((await find(saveCalls, 'PUT', `${list}1/`)).body).toEqual({ role_id: 2, source_id: 2 })
})

test('a role with sources in either spelling sends them as source_ids', async ({ page, open, bare }) => {
  await open('/users?tab=roles', 'admin')
  await page.locator('tr[data-key]').nth(1).getByRole('cell').last().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('100k.uz')).toBeVisible()
  const saveCalls = await callsOf(bare.calls, () => dialog.getByRole('button', { name: 'Save' }).click())
  expect((await find(saveCalls, 'PUT', '/api/admin/roles/2')).body).toMatchObject({
    source_ids: [1, 2],
    type: 'person',
  })
})

test('selects of users and roles ask for 100 rows', async ({ open, bare }) => {
  const calls = await callsOf(bare.calls, () => open('/users?tab=source-credentials', 'admin'))
  expect((await find(calls, 'GET', '/api/admin/users/', '100')).query).toMatchObject({
    page: '1',
    per_page: '100',
  })
  const users = await callsOf(bare.calls, () => open('/users'))
  expect((await find(users, 'GET', '/api/admin/roles/', '100')).query).toMatchObject({
    page: '1',
    per_page: '100',
  })
})

test('page 3 of source credentials is sent as skip 20 and limit 10', async ({ open, bare }) => {
  const calls = await callsOf(bare.calls, () => open('/users?tab=source-credentials&page=3', 'admin'))
  const listCall = await find(calls, 'GET', '/api/admin/source-credentials/', '10')
  expect(listCall.query).toEqual({ skip: '20', limit: '10' })
})

test('streams are filtered by user_id, source_id and is_active', async ({ open, bare }) => {
  const path = '/streams?user_id=2&source_id=1&is_active=true'
  const calls = await callsOf(bare.calls, () => open(path, 'admin'))
  const filters = { user_id: '2', source_id: '1', is_active: 'true' }
  expect((await find(calls, 'GET', '/api/admin/streams/')).query).toEqual({
    page: '1',
    per_page: '10',
    ...filters,
  })
})

test('reports send page and per_page, source_id, and start_date and end_date as yyyy-mm-dd', async ({
  open,
  bare,
}) => {
  const search = 'source_id=1&from=2026-11-01&to=2026-11-21'
  for (const tab of ['daily', 'offers', 'streams']) {
    const calls = await callsOf(bare.calls, () => open(`/statistics?tab=${tab}&${search}`, 'admin'))
    const listCall = await find(calls, 'GET', `/api/admin/report/${tab}`, '10')
    expect(listCall.query).toEqual({
      page: '1',
      per_page: '10',
      source_id: '1',
      start_date: '2026-11-01',
      end_date: '2026-11-21',
    })
    await find(calls, 'GET', '/api/admin/report/sources')
  }
})

test('parcels send date_from, date_to, orderno, page and limit; an upload sends its file with a description', async ({
  page,
  open,
  bare,
}) => {
  const path = '/parcels?from=2026-11-01&to=2026-11-21&search=ORD&page=2'
  const calls = await callsOf(bare.calls, () => open(path, 'buyer'))
  expect((await find(calls, 'GET', '/api/parcel/parcels/all')).query).toEqual({
    date_from: '2026-11-01',
    date_to: '2026-11-21',
    orderno: 'ORD',
    page: '2',
    limit: '10',
  })
  await open('/parcels')
  const openCalls = await callsOf(bare.calls, () => page.locator('tr[data-key]').first().click())
  await find(openCalls, 'GET', '/api/parcel/parcels/1')
  await page.getByRole('button', { name: 'Загрузка заказов' }).click()
  const file = { name: 'Заказы.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByPlaceholder('Комментарий').fill('Утро')
  const uploadCalls = await callsOf(bare.calls, () =>
    page.getByRole('button', { name: 'Загрузить', exact: true }).click(),
  )
  const upload = await find(uploadCalls, 'POST', '/api/parcel/files/upload/')
  expect(upload.headers['content-type']).toMatch(/^multipart\/form-data/)
  expect(upload.parts).toEqual({ file: 'Заказы.pdf', description: 'Утро' })
})

test('the finder sends search, page and limit to parcels/search', async ({ page, open, bare }) => {
  await open('/parcels', 'buyer')
  await expect(page.locator('tr[data-key]')).not.toHaveCount(0)
  await page.keyboard.press('Control+k')
  const finder = page.getByRole('dialog').getByRole('combobox')
  await expect(finder).toBeFocused()
  const searchCalls = await callsOf(bare.calls, () => finder.pressSequentially('ORD-1'))
  const call = await find(searchCalls, 'GET', '/api/parcel/parcels/search')
  expect(call.query).toEqual({ search: 'ORD-1', page: '1', limit: '5' })
  expect(call.headers.authorization).toBe('Bearer token-of-buyer')
})

test('lists that answer total_items or a bare array are paged and shown like any other', async ({
  page,
  open,
}) => {
  for (const [path, text] of [
    ['/users?tab=roles', 'Показано 2 из 2 записей'],
    ['/settings/cpa-websites', 'Показано 2 из 2 записей'],
    ['/offers', 'Показано 1 из 1 записей'],
  ] as const) {
    await open(path, 'admin')
    await expect(page.getByText(text)).toBeVisible()
  }
})
