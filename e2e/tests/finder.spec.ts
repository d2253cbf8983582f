import { createList, mockAnswer, expect, expectWhileClockRuns, stopClock, test } from '../src/bare.ts'

test.describe('A host with leads', () => {
  test.use({ features: ['leads'] })

  test('the finder shows an admin leads, offers, streams, users and sources by name', async ({
    page,
    open,
  }) => {
    const queries: string[] = []
    await mockAnswer(page, '/api/parcel/parcels/search?*', { body: createList() })
    for (const [path, body] of [
      ['leads', createList({ id: 71, external_id: 'Kettle-71', source: { id: 1, name: 'Net' } })],
      ['offers', createList({ id: 3, name: 'Kettle' })],
      ['streams', createList({ id: 4, name: 'Kettle stream' })],
      ['users', createList({ id: 5, name: 'Kettle buyer' })],
      ['cpa-sources', createList({ id: 6, name: 'Kettle network' })],
    ] as const) {
      await mockAnswer(page, `/api/admin/${path}/?*`, async (route) => {
        queries.push(`${path} ${new URL(route.request().url()).search}`)
        await route.fulfill({ json: body })
      })
    }
    await open('/settings/statuses', 'admin')
    await page.getByRole('button', { name: 'Find anything' }).click()
    const finder = page.getByRole('dialog').getByRole('combobox')
    await finder.pressSequentially('Kettle')
    await expect(page.getByRole('dialog').getByRole('option')).toHaveText([
      'Kettle-71Leads, Net',
      'KettleOffers #3',
      'Kettle streamStreams #4',
      'Kettle buyerUsers #5',
      'Kettle networkSources #6',
    ])
    // One search for the whole word, at most 5 rows each.
    expect(queries.toSorted()).toEqual([
      'cpa-sources ?page=1&per_page=5&sort=name&search=Kettle',
      'leads ?search=Kettle&page=1&per_page=5',
      'offers ?page=1&per_page=5&sort=name&search=Kettle',
      'streams ?page=1&per_page=5&sort=name&search=Kettle',
      'users ?page=1&per_page=5&sort=name&search=Kettle',
    ])
    await page.getByRole('option', { name: 'Kettle stream' }).click()
    await expect(page).toHaveURL(/\/streams\?search=Kettle/)
  })

  test('the finder finds a row by its id', async ({ page, open }) => {
    await mockAnswer(page, '/api/admin/offers/?*', async (route) => {
      const query = new URL(route.request().url()).searchParams
      await route.fulfill({
        json: query.get('id') === '42' ? createList({ id: 42, name: 'Lamp' }) : createList(),
      })
    })
    await open('/settings/statuses', 'admin')
    await page.getByRole('button', { name: 'Find anything' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('42')
    await expect(page.getByRole('option', { name: 'Lamp' })).toBeVisible()
  })
})

test('the finder does not ask a host without leads for leads', async ({ page, open }) => {
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await open('/settings/statuses', 'admin')
  await page.getByRole('button', { name: 'Find anything' }).click()
  await page.getByRole('dialog').getByRole('combobox').fill('Kettle')
  await expect.poll(() => paths).toContain('/api/parcel/parcels/search')
  await expect.poll(() => paths).toContain('/api/admin/offers/')
  expect(paths.filter((path) => path.startsWith('/api/admin/leads'))).toEqual([])
})

test('keys typed before the finder has loaded reach its field', async ({ page, open }) => {
  const gate = Promise.withResolvers<void>()
  await page.route('**/finder-dialog*.js', async (route) => {
    await gate.promise
    await route.continue()
  })
  await open('/settings/statuses', 'admin')
  await expect(page.getByRole('table')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('off')
  gate.resolve()
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('off')
})

test('Ctrl K opens the finder on the Russian layout, where the key types another letter', async ({
  page,
  open,
}) => {
  await open('/settings/statuses', 'admin')
  await expect(page.getByRole('table')).toBeVisible()
  const press = (key: string, code: string) =>
    page.getByRole('table').dispatchEvent('keydown', { key, code, ctrlKey: true })
  await press('л', 'KeyJ')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await press('л', 'KeyK')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
})

test('Enter right after a scanned barcode opens its parcel, not the one that was shown before', async ({
  page,
  open,
}) => {
  const parcel = (orderno: string) => createList({ orderno, barcode: orderno, receiver: {} })
  const gate = Promise.withResolvers<void>()
  await mockAnswer(page, '/api/parcel/parcels/search?*', async (route) => {
    const search = new URL(route.request().url()).searchParams.get('search')
    if (search === 'KV-1002') await gate.promise
    await route.fulfill({ json: parcel(search ?? '') })
  })
  await open('/settings/statuses', 'admin')
  await page.getByRole('button', { name: 'Find anything' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').fill('KV-100')
  await expect(dialog.getByRole('option', { name: 'KV-100' })).toBeVisible()
  await page.keyboard.type('2\n')
  await expect(dialog.getByRole('option', { name: 'KV-100' })).toHaveCount(0)
  gate.resolve()
  await expect(page).toHaveURL(/\/parcels\?.*search=KV-1002/)
  await expect(dialog).toHaveCount(0)
})

test.describe('A failed search', () => {
  test.use({ expectedStatus: [400, 404] })

  test('Enter in the finder opens nothing when a search fails', async ({ page, open }) => {
    await mockAnswer(page, '/api/parcel/parcels/search?*', { status: 400 })
    await open('/settings/statuses', 'admin')
    await page.getByRole('button', { name: 'Find anything' }).click()
    const finder = page.getByRole('dialog').getByRole('combobox')
    const failure = page.waitForEvent('requestfinished', (request) =>
      request.url().includes('/parcels/search'),
    )
    await finder.fill('KV-1002')
    await finder.press('Enter')
    await failure
    await expect(page.getByRole('option', { name: 'Kettle' })).toBeVisible()
    await finder.press('ArrowDown')
    await finder.press('Enter')
    await expect(page).toHaveURL(/\/streams\?search=Autumn/)
  })

  test('the finder says that a search failed, and not that there is nothing', async ({ page, open }) => {
    await mockAnswer(page, '/api/**?*search=*', { status: 400 })
    await open('/settings/statuses', 'admin')
    await page.getByRole('button', { name: 'Find anything' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('KV-1002')
    await expect(page.getByRole('dialog').getByRole('status')).toHaveText(
      'The search failed, so results may be missing.',
    )
  })
})

test('the finder does not say that there is nothing before it has searched', async ({ page, open }) => {
  await mockAnswer(page, '/api/**?*search=*', { body: createList() })
  await open('/settings/statuses', 'admin')
  await page.getByRole('button', { name: 'Find anything' }).click()
  const status = page.getByRole('dialog').getByRole('status')
  await page.clock.install()
  await stopClock(page)
  await page.getByRole('dialog').getByRole('combobox').fill('KV-1002')
  await expect(page.getByRole('dialog').getByRole('option')).toHaveCount(0)
  await expect(status).toHaveCount(0)
  await expectWhileClockRuns(page, () => expect(status).toHaveText('No options found', { timeout: 1 }))
})

test.describe('Without a connection', () => {
  test.use({ expectedText: ['Failed to load resource', 'net::ERR_'] })

  test('the finder whose code cannot be loaded says so, and the page stays', async ({
    page,
    context,
    open,
  }) => {
    await open('/offers', 'admin')
    await page.getByRole('button', { name: 'New offer' }).click()
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
    await name.fill('Kettle')
    await context.setOffline(true)
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('alertdialog')).toContainText('This part could not be loaded.')
    await expect(name).toHaveValue('Kettle')
  })
})
