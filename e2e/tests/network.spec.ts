import { answer, expect, storedSession, test } from '../src/bare.ts'

test.use({ expectedText: ['net::ERR_', 'Failed to load resource'] })

const failed = 'Failed to load offers. Please try again.'

test('a call that takes 5000 ms is given up, and one that takes less is not', async ({ page, open }) => {
  test.slow()
  let wait = 20_000
  await answer(page, '/api/admin/offers/?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, wait))
    await route.fallback().catch(() => undefined)
  })
  const sent = page.waitForRequest('**/api/admin/offers/?*')
  await open('/offers', 'admin')
  await sent
  const since = Date.now()
  const alert = page.getByRole('alert')
  // By then the answer is still far away, however busy the machine is.
  await expect(alert).toContainText(failed, { timeout: 15_000 })
  expect(Date.now() - since).toBeGreaterThan(4800)
  await expect(alert).toContainText('The server did not answer within 5 seconds.')
  wait = 2500
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Kettle' })).toBeVisible()
})

test('a redirect is refused, not followed', async ({ page, open, bare }) => {
  await answer(page, '/api/admin/offers/?*', {
    status: 302,
    headers: { location: `${bare.url}/api/admin/streams/` },
  })
  const before = bare.calls.length
  await open('/offers', 'admin')
  await expect(page.getByRole('alert')).toContainText(failed)
  expect(bare.calls.slice(before).filter(({ path }) => path === '/api/admin/streams/')).toEqual([])
  expect(await storedSession(page)).not.toBeNull()
})

test('without a network the list says so and comes back by Try again', async ({ page, open }) => {
  const undo = await answer(page, '/api/admin/offers/?*', (route) => route.abort('connectionrefused'))
  await open('/offers', 'admin')
  await expect(page.getByRole('alert')).toHaveText(`${failed}The server cannot be reached.`)
  await undo()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Kettle' })).toBeVisible()
})
