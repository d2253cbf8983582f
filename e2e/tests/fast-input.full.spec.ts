import { createList, dialogOf, expect, holdAnswers, mockAnswer, test } from '../src/bare.ts'

test.use({
  expectedStatus: [400, 404, 500],
  expectedText: ['net::ERR_', 'Failed to load resource'],
})

test('the finder opens the chosen result although a slower source adds results above it', async ({
  page,
  open,
}) => {
  const gate = Promise.withResolvers<void>()
  await mockAnswer(page, '/api/parcel/parcels/search?*', async (route) => {
    await gate.promise
    await route.fulfill({ json: createList({ orderno: 'Kettle-1', barcode: '1', receiver: {} }) })
  })
  await open('/settings/statuses', 'admin')
  await page.getByRole('button', { name: 'Find anything' }).click()
  const finder = dialogOf(page).getByRole('combobox')
  await finder.fill('Kettle')
  await expect(page.getByRole('option', { name: /^Kettle ?Offers/ })).toBeVisible()
  await expect(dialogOf(page).getByRole('option', { selected: true })).toHaveText(/Offers/)
  await finder.press('ArrowDown')
  await finder.press('ArrowUp')
  gate.resolve()
  await expect(page.getByRole('option', { name: 'Kettle-1' })).toBeVisible()
  await expect(dialogOf(page).getByRole('option', { selected: true })).toHaveText(/Offers/)
  await finder.press('Enter')
  await expect(page).toHaveURL(/\/offers\?search=Kettle/)
})

test('a finder that opens again at once is empty', async ({ page, open }) => {
  await open('/settings/statuses', 'admin')
  await page.getByRole('button', { name: 'Find anything' }).click()
  const finder = dialogOf(page).getByRole('combobox')
  await expect(finder).toBeFocused()
  await page.keyboard.type('Kett')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+K')
  await page.keyboard.type('Of')
  await expect(finder).toHaveValue('Of')
})

test('a finder that was closed does not open the result that it waited for', async ({ page, open }) => {
  const release = await holdAnswers(page, '/api/parcel/parcels/search?*')
  await open('/settings/statuses', 'admin')
  await page.getByRole('button', { name: 'Find anything' }).click()
  const search = page.waitForRequest('**/api/parcel/parcels/search?*')
  await dialogOf(page).getByRole('combobox').fill('KV-1002')
  await page.keyboard.press('Enter')
  await search
  await page.clock.install()
  await page.keyboard.press('Escape')
  const answer = page.waitForResponse('**/api/parcel/parcels/search?*')
  await release()
  await answer
  await page.clock.runFor(1000)
  await expect(dialogOf(page)).toHaveCount(0)
  expect(new URL(page.url()).pathname).toBe('/settings/statuses')
})

test('a double click on a row opens its form and leaves it open', async ({ page, open }) => {
  await open('/offers', 'admin')
  const row = page.getByRole('row').filter({ hasText: 'Kettle' }).first()
  const box = await row.boundingBox()
  // Beside the form, in the middle of the row's height.
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + (box?.height ?? 0) / 2)
  await page.mouse.down({ clickCount: 1 })
  await page.mouse.up({ clickCount: 1 })
  await expect(dialogOf(page)).toBeVisible()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  // Longer than the fade of a form that closes.
  await page.waitForTimeout(600)
  await expect(dialogOf(page).getByLabel('Name', { exact: true })).toHaveValue('Kettle')
})

test('Enter that is held on a button opens its form and does not send it', async ({ page, open }) => {
  await open('/offers', 'admin')
  const button = page.getByRole('button', { name: 'New offer' })
  const code = page.waitForResponse('**/resource-form*.js')
  await button.focus()
  await code
  await page.keyboard.down('Enter')
  await expect(dialogOf(page).getByLabel('Name', { exact: true })).toBeFocused()
  // The key repeats.
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(dialogOf(page).getByText('is required')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(dialogOf(page).getByText('is required').first()).toBeVisible()
})

test('the second press of a double click on a confirmation reaches nothing below it', async ({
  page,
  open,
}) => {
  await open('/components-demo', 'admin')
  await page.evaluate(() => {
    document.getElementById('root')?.addEventListener('mousedown', () => {
      document.title = 'pressed'
    })
  })
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.evaluate(() => {
    document.title = 'not pressed'
  })
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).dblclick()
  await expect(page.getByText('Confirmed')).toBeVisible()
  expect(await page.title()).toBe('not pressed')
})

test('a double click on the button of the upload sends the file once and shows no error', async ({
  page,
  open,
}) => {
  await mockAnswer(page, '/api/parcel/files/upload{,/}', {
    method: 'POST',
    body: { sent_to_telegram: false, message: 'chat not found' },
  })
  await open('/parcels', 'admin')
  await page.getByRole('button', { name: 'Загрузка заказов' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'orders.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') })
  const submit = page.getByRole('button', { name: 'Загрузить', exact: true })
  const toasts = page.getByText('Xatolik')
  await submit.click()
  await expect(toasts).toHaveCount(1)
  // The pointer is still on the button. A person's second press comes after the answer of a fast host.
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await expect(toasts).toHaveCount(1)
  await submit.press('Enter')
  await expect(page.getByText('Файл не выбран')).toHaveCount(1)
})

test('Enter and Tab right after typing still choose the option that matches', async ({ page, open }) => {
  await open('/components-demo', 'admin')
  const field = page.getByRole('combobox', { name: 'Stream', exact: true })
  await field.click()
  await field.pressSequentially('Stream 299')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(field).not.toBeFocused()
  await expect(field).toHaveValue('Stream 299')
  await expect(page.getByRole('listbox')).toHaveCount(0)
})

test('the options of the last search that do not match a new one are hidden before its answer', async ({
  page,
  open,
}) => {
  const rows = ['Alpha', 'Alpine', 'Beta'].map((name, index) => ({ id: index + 1, name }))
  const gate = Promise.withResolvers<void>()
  await mockAnswer(page, '/api/admin/cpa-sources/?*', async (route) => {
    const search = new URL(route.request().url()).searchParams.get('search') ?? ''
    if (search === 'alpi') await gate.promise
    const items = rows.filter(({ name }) => name.toLowerCase().includes(search))
    await route.fulfill({ json: { items, meta: { total: 500, filtered_total: 500 } } })
  })
  await open('/offers', 'admin')
  const filter = page.getByRole('combobox', { name: 'Filter by source' })
  await filter.click()
  await filter.pressSequentially('al')
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options).toHaveText(['Alpha', 'Alpine'])
  await filter.pressSequentially('pi')
  await expect(options).toHaveText(['Alpine'])
  gate.resolve()
  await expect(page.getByRole('listbox')).not.toHaveAttribute('aria-busy')
})

test('steps and Enter before the options are loaded choose the option at that step', async ({
  page,
  open,
}) => {
  const release = await holdAnswers(page, '/api/admin/cpa-sources/?*')
  await open('/offers', 'admin')
  const filter = page.getByRole('combobox', { name: 'Filter by source' })
  await filter.focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await expect(page.getByRole('listbox')).toHaveAttribute('aria-busy', 'true')
  await release()
  // The first option is that of all sources.
  await expect(page).toHaveURL(/source_id=2$/)
  await expect(page.getByRole('listbox')).toHaveCount(0)
})

test('a search of options without an answer says that an error occurred, and the next one finds again', async ({
  page,
  open,
}) => {
  const rows = [{ id: 1, name: 'Alpha' }]
  await mockAnswer(page, '/api/admin/cpa-sources/?*', async (route) => {
    const search = new URL(route.request().url()).searchParams.get('search') ?? ''
    if (search === 'a') return route.abort()
    await route.fulfill({ json: { items: rows, meta: { total: 500, filtered_total: 500 } } })
  })
  await open('/offers', 'admin')
  const filter = page.getByRole('combobox', { name: 'Filter by source' })
  await filter.click()
  await filter.pressSequentially('a')
  await expect(page.getByText('An error occurred')).toBeVisible()
  await filter.pressSequentially('l')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Alpha'])
})

test('a question closes when another tab signs out', async ({ page, context, open }) => {
  await open('/components-demo', 'admin')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  const otherTab = await context.newPage()
  await otherTab.goto(new URL('/icon.svg', page.url()).href)
  await otherTab.evaluate(() => localStorage.removeItem('emu_auth'))
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('a filter that is chosen while another screen loads applies, and the list stays', async ({
  page,
  open,
}) => {
  const gate = Promise.withResolvers<void>()
  await page.route('**/streams.page*.js', async (route) => {
    await gate.promise
    await route.continue()
  })
  await open('/offers', 'admin')
  await page.getByRole('link', { name: 'Streams', exact: true }).click()
  const filter = page.getByRole('combobox', { name: /^Filter by/ }).first()
  await filter.click()
  await page.getByRole('option').nth(1).click()
  await expect(page).toHaveURL(/\/offers\?.*_id=/)
  gate.resolve()
  // The page that was left does not open later.
  await page.waitForTimeout(500)
  await expect(page).toHaveURL(/\/offers\?.*_id=/)
  await expect(page.getByRole('table', { name: 'Offers' })).toBeVisible()
})

test.describe('A host with payout terms', () => {
  test.use({ features: ['payouts'] })

  test('a date that does not exist is called invalid, not missing', async ({ page, open }) => {
    await mockAnswer(page, '/api/admin/payout-terms/?*', { body: createList() })
    await open('/settlements?tab=terms', 'admin')
    await page.getByRole('button', { name: 'New payout terms' }).click()
    const day = dialogOf(page).getByLabel('Valid from')
    await day.focus()
    // The first part of a date field has the focus: the day or the month.
    await page.keyboard.press('Backspace')
    await dialogOf(page).getByRole('button', { name: 'Save' }).click()
    await expect(dialogOf(page).getByText('Enter a valid date')).toBeVisible()
    await expect(dialogOf(page).getByText('Valid from is required')).toHaveCount(0)
    await expect(day).toBeFocused()
  })
})
