import { mockAnswer, expect, readStoredSession, test } from '../src/bare.ts'

test.use({ expectedText: ['net::ERR_', 'Failed to load resource'] })

const failureText = 'Failed to load offers. Please try again.'

test('a call is cancelled after 5000 ms, and a faster one is not', async ({ page, open }) => {
  test.slow()
  let wait = 20_000
  await mockAnswer(page, '/api/admin/offers/?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, wait))
    await route.fallback().catch(() => undefined)
  })
  // The page may finish loading long after the request.
  const request = page.waitForRequest('**/api/admin/offers/?*').then(() => Date.now())
  await open('/offers', 'admin')
  const startedAt = await request
  const alert = page.getByRole('alert')
  // The answer comes much later, even on a busy machine.
  await expect(alert).toContainText(failureText, { timeout: 15_000 })
  expect(Date.now() - startedAt).toBeGreaterThan(4800)
  await expect(alert).toContainText('The server did not answer within 5 seconds.')
  wait = 2500
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Kettle' })).toBeVisible()
})

test('a redirect is refused and not followed', async ({ page, open, bare }) => {
  await mockAnswer(page, '/api/admin/offers/?*', {
    status: 302,
    headers: { location: `${bare.url}/api/admin/streams/` },
  })
  const before = bare.calls.length
  await open('/offers', 'admin')
  await expect(page.getByRole('alert')).toContainText(failureText)
  expect(bare.calls.slice(before).filter(({ path }) => path === '/api/admin/streams/')).toEqual([])
  expect(await readStoredSession(page)).not.toBeNull()
})

test('a list without a network shows the error, and Try again loads it', async ({ page, open }) => {
  const undo = await mockAnswer(page, '/api/admin/offers/?*', (route) => route.abort('connectionrefused'))
  await open('/offers', 'admin')
  await expect(page.getByRole('alert')).toHaveText(`${failureText}The server cannot be reached.`)
  await undo()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Kettle' })).toBeVisible()
})

test('a call that the browser aborts because the page is left shows no error', async ({ page, open }) => {
  // Firefox aborts the running calls at the begin of a navigation; Chromium at its end.
  const gate = Promise.withResolvers<void>()
  await mockAnswer(page, '/api/admin/offers/?*', async (route) => {
    await gate.promise
    await route.abort('aborted')
  })
  const request = page.waitForRequest('**/api/admin/offers/?*')
  await open('/offers', 'admin')
  await request
  // Again and again, because the call must end within a second of it.
  await page.evaluate(() => {
    setInterval(() => window.dispatchEvent(new Event('beforeunload')), 100)
    window.dispatchEvent(new Event('beforeunload'))
  })
  const failure = page.waitForEvent('requestfailed')
  gate.resolve()
  await failure
  await page.waitForTimeout(500)
  await expect(page.getByRole('alert')).toHaveCount(0)
  // The person stopped the navigation.
  await expect(page.getByRole('alert')).toContainText('The server cannot be reached.', { timeout: 20_000 })
})
