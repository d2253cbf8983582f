import type { Page } from '@playwright/test'
import { createSession, expect, mockAnswer, storeSession, test } from '../src/bare.ts'

/** The paths of the scripts and calls that a page requests from now on. */
function requestsOf(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    paths.push(pathname + search)
  })
  return paths
}

const app = /\/assets\/app-.*\.js$/
const isAppRequested = (requests: readonly string[]) => requests.some((path) => app.test(path))

for (const path of ['/login', '/register', '/forgot-password'])
  test(`${path} loads without the code of the app`, async ({ page, open }) => {
    const requests = requestsOf(page)
    await open(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(isAppRequested(requests)).toBe(false)
  })

test('the app loads while the password is typed, and a sign-in opens it without a reload', async ({
  page,
  open,
}) => {
  const requests = requestsOf(page)
  await open('/login')
  await page.getByLabel('Имя пользователя').fill('admin')
  expect(isAppRequested(requests)).toBe(false)
  await page.getByLabel('Пароль', { exact: true }).fill('secret')
  await expect.poll(() => isAppRequested(requests)).toBe(true)
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Посылки' })).toBeVisible()
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
})

test('the sign-in opens again after a sign-out, and signs in again', async ({ page, open }) => {
  await open('/offers', 'admin')
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Register' }).click()
  await expect(page).toHaveURL(/\/register$/)
  // The address changes before the page, and both pages have these fields.
  await expect(page.getByRole('heading', { name: 'Регистрация' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible()
  await page.getByLabel('Имя пользователя').fill('admin')
  await page.getByLabel('Пароль', { exact: true }).fill('secret')
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page).toHaveURL(/\/parcels$/)
})

test('a click on a link opens it, although another page is ready while the pointer is down', async ({
  page,
  open,
}) => {
  await open('/login')
  const gate = Promise.withResolvers<void>()
  const code = /\/register\.page-.*\.js$/
  await page.route(code, async (route) => {
    await gate.promise
    await route.continue()
  })
  const answer = page.waitForResponse(code)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  await page.getByRole('link', { name: 'Register' }).click()
  await expect(page).toHaveURL(/\/register$/)
  await page.getByRole('link', { name: 'Forgot Password' }).hover()
  await page.mouse.down()
  gate.resolve()
  await (await answer).finished()
  // The page would be drawn within these frames.
  for (let frame = 0; frame < 10; frame += 1)
    await page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(resolve)))
  await page.mouse.up()
  await expect(page).toHaveURL(/\/forgot-password$/)
  await expect(heading('Сброс пароля')).toBeVisible()

  // A press that does not end delays a page for a short time only.
  await page.mouse.down()
  await page.getByRole('link', { name: 'Login' }).focus()
  await page.keyboard.press('Enter')
  await expect(heading('Вход')).toBeVisible()
  await page.mouse.up()
})

test('a sign-in in another tab opens the app in this tab', async ({ page, open, context }) => {
  await open('/login')
  const otherPage = await context.newPage()
  await otherPage.goto(page.url())
  await otherPage.evaluate(() =>
    localStorage.setItem('emu_auth', JSON.stringify({ token: 'token-of-admin' })),
  )
  await expect(page).toHaveURL(/\/parcels$/)
})

test.describe('A host with problems of parcels', () => {
  test.use({ features: ['parcel_problems'] })

  test('a list is requested before the calls of the parts of its page', async ({ page, open }) => {
    const requests = requestsOf(page)
    await open('/parcels', 'admin')
    await page.waitForLoadState('networkidle')
    const calls = requests.filter((path) => path.startsWith('/api/parcel/')).map((path) => path.split('?')[0])
    expect(calls.slice(0, 2)).toEqual(['/api/parcel/parcels/all', '/api/parcel/parcels/problems'])
  })
})

test('the next page of a list is fetched once, when the pointer or the focus is on its button', async ({
  page,
  open,
}) => {
  await mockAnswer(page, '/api/admin/offers/?*', async (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get('page'))
    const items = Array.from({ length: 10 }, (_, i) => ({
      id: number * 100 + i,
      name: `Page ${number}, row ${i}`,
    }))
    await route.fulfill({ json: { items, meta: { total: 95, filtered_total: 95 } } })
  })
  const requests = requestsOf(page)
  const countRequests = (number: number) =>
    requests.filter((path) => path.startsWith('/api/admin/offers/?') && path.includes(`page=${number}&`))
      .length
  await open('/offers', 'admin')
  await expect(page.getByText('Page 1, row 0')).toBeVisible()
  const next = page.getByRole('button', { name: 'Следующая страница' })
  await next.hover()
  await expect.poll(() => countRequests(2)).toBe(1)
  await next.click()
  await expect(page.getByText('Page 2, row 0')).toBeVisible()
  await next.blur()
  await next.focus()
  await expect.poll(() => countRequests(3)).toBe(1)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Page 3, row 0')).toBeVisible()
  expect([countRequests(2), countRequests(3)]).toEqual([1, 1])
})

test('the code of further tabs loads when the pointer comes to the tabs', async ({ page, open }) => {
  const requests = requestsOf(page)
  const isTabRequested = () => requests.some((path) => /\/assets\/source-credentials\.page-/.test(path))
  await open('/users', 'admin')
  await page.waitForLoadState('networkidle')
  expect(isTabRequested()).toBe(false)
  await page.getByRole('tab', { name: 'Users' }).hover()
  await expect.poll(isTabRequested).toBe(true)
})

test.describe('A host with leads', () => {
  test.use({ features: ['leads'] })

  test('the code of a tab loads when the pointer comes to its link in the sidebar', async ({
    page,
    open,
  }) => {
    const requests = requestsOf(page)
    const isTabRequested = () => requests.some((path) => /\/assets\/postback-templates\.page-/.test(path))
    await open('/streams', 'admin')
    await page.waitForLoadState('networkidle')
    expect(isTabRequested()).toBe(false)
    await page.getByRole('navigation').locator('a[href="/leads?tab=templates"]').hover()
    await expect.poll(isTabRequested).toBe(true)
  })
})

for (const width of [360, 1440])
  test(`the frame of the app shows while its code loads, at ${width} px`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 })
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(app, async (route) => {
      await gate
      await route.continue()
    })
    await open('/offers', 'admin')
    const frame = page.locator('.frame')
    const icon = frame.locator('svg')
    await expect(icon).toBeVisible()
    const frameBox = await icon.boundingBox()
    release()
    await expect(page.getByRole('heading', { level: 1, name: 'Offers' })).toBeVisible()
    await expect(frame).toHaveCount(0)
    const button = page.getByRole('button', { name: width === 360 ? 'Open menu' : 'Close menu' })
    expect(await button.locator('svg').boundingBox()).toEqual(frameBox)
  })

test('public pages show no frame of the app', async ({ page, bare }) => {
  await page.route(/\/assets\/index-.*\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  )
  await storeSession(page, createSession('admin'))
  const frame = page.locator('.frame')
  await page.goto(`${bare.url}/offers`)
  await expect(frame).toBeVisible()
  for (const path of ['/track', '/track/ORDER-1', '/reset-password']) {
    await page.goto(bare.url + path)
    await expect(frame, path).toBeHidden()
  }
})
