import { featureNames } from '@karvon/contract/lib/features.ts'
import type { Page } from '@playwright/test'
import {
  announceFeatures,
  mockAnswer,
  expect,
  runClockUntil,
  storeSession,
  createSession,
  test,
} from '../src/bare.ts'

const root = (page: Page) => page.locator('html')
const theme = (page: Page) => page.evaluate(() => localStorage.getItem('theme'))
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' })

test.describe('Theme', () => {
  test.use({ colorScheme: 'light' })

  test('the theme follows the system until a choice is saved, and then the saved choice', async ({
    page,
    open,
  }) => {
    await open('/login')
    await expect(root(page)).toHaveAttribute('data-theme', 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(root(page)).toHaveAttribute('data-theme', 'dark')
    expect(await theme(page)).toBeNull()
    await page.getByRole('button', { name: 'Switch to light theme' }).click()
    await expect(root(page)).toHaveAttribute('data-theme', 'light')
    expect(await theme(page)).toBe('light')
    await page.getByRole('button', { name: 'Switch to dark theme' }).click()
    await expect(root(page)).toHaveAttribute('data-theme', 'dark')
    expect(await theme(page)).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(root(page)).toHaveAttribute('data-theme', 'dark')
    await page.reload()
    await expect(root(page)).toHaveAttribute('data-theme', 'dark')
  })

  test('a saved theme that is neither light nor dark counts as none', async ({ page, open }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'sepia'))
    await open('/parcels', 'buyer')
    await expect(root(page)).toHaveAttribute('data-theme', 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(root(page)).toHaveAttribute('data-theme', 'dark')
    await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible()
  })
})

test.describe('Sidebar', () => {
  test('the sidebar of an admin has the sections on its first level and their pages on its second', async ({
    page,
    open,
  }) => {
    await open('/components-demo', 'admin')
    const sections = [
      ['Dashboard', '/parcels', ['Parcels']],
      ['User Management', '/users', ['Users']],
      ['Offers', '/offers', ['All offers']],
      ['Streams', '/streams', ['All streams']],
      ['Statistics', '/statistics', ['Daily', 'Offers', 'Streams']],
      ['Components', '/components-demo', ['All components']],
      ['Settings', '/settings/cpa-websites', ['CPA Websites', 'Statuses']],
    ] as const
    const [first, second] = [menu(page).getByRole('list').first(), menu(page).getByRole('list').last()]
    await expect(first.getByRole('link')).toHaveText(sections.map(([name]) => name))
    await expect(first.getByRole('link').first()).toHaveAttribute('href', '/dashboard')
    for (const [name, path, pages] of sections) {
      await first.getByRole('link', { name }).click()
      await expect(page).toHaveURL(new RegExp(`${path}$`))
      await expect(second.getByRole('link')).toHaveText([...pages])
    }
    await second.getByRole('link', { name: 'Statuses' }).click()
    await expect(page).toHaveURL(/\/settings\/statuses$/)
  })

  test('the sidebar of an admin has the pages of every feature that the host announces', async ({
    page,
    open,
  }) => {
    await announceFeatures(page, ...featureNames)
    await mockAnswer(page, '/api/{parcel/parcels/problems,admin/leads/unmapped/?*,admin/withdrawals/?*}', {
      body: { any: 0, items: [] },
    })
    await open('/components-demo', 'admin')
    const [first, second] = [menu(page).getByRole('list').first(), menu(page).getByRole('list').last()]
    for (const [name, pages] of [
      ['Dashboard', ['Parcels', 'Uploads']],
      ['User Management', ['Users', 'Sessions', 'Audit log']],
      ['Streams', ['All streams', 'Postback templates']],
      [
        'Statistics',
        [
          'Daily',
          'Offers',
          'Streams',
          'Money',
          'Explore',
          'Leads',
          'Unmapped statuses',
          'Postback log',
          'Outgoing log',
        ],
      ],
      [
        'Settlements',
        [
          'Withdrawals',
          'Payment registries',
          'Accounts',
          'Entries',
          'Statements',
          'Acts',
          'Differences',
          'Courier tariffs',
          'Payout terms',
        ],
      ],
      ['Settings', ['CPA Websites', 'Statuses', 'Courier accounts']],
    ] as const) {
      await first.getByRole('link', { name }).click()
      await expect(second.getByRole('link')).toHaveText([...pages])
    }
  })

  for (const role of ['buyer', 'Admin', 'administrator', '']) {
    test(`the sidebar of the role '${role}' has only Parcels`, async ({ page, open }) => {
      const { token, user } = createSession('buyer')
      await mockAnswer(page, '/parcel/auth/me', { body: { ...user, role } })
      await storeSession(page, { token, user: { ...user, role } })
      await open('/components-demo')
      await expect(menu(page).getByRole('link')).toHaveText(['Parcels'])
      await expect(menu(page).getByRole('link')).toHaveAttribute('href', '/parcels')
    })
  }

  test('the sidebar is hidden at 768 px and shown at 769 px; the toggle, a link and Esc open and close it', async ({
    page,
    open,
  }) => {
    await page.setViewportSize({ width: 768, height: 900 })
    await open('/parcels', 'admin')
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible()
    await expect(menu(page)).not.toBeInViewport()
    await page.setViewportSize({ width: 769, height: 900 })
    await expect(menu(page)).toBeInViewport()
    await page.getByRole('button', { name: 'Close menu' }).click()
    await expect(menu(page)).not.toBeInViewport()
    await page.setViewportSize({ width: 768, height: 900 })
    const toggle = page.getByRole('button', { name: 'Open menu' })
    await toggle.click()
    await expect(menu(page)).toBeInViewport()
    await page.keyboard.press('Escape')
    await expect(menu(page)).not.toBeInViewport()
    await expect(toggle).toBeFocused()
    await toggle.press('Enter')
    await menu(page).getByRole('button', { name: 'Settings' }).click()
    await menu(page).getByRole('link', { name: 'Statuses' }).click()
    await expect(page).toHaveURL(/\/settings\/statuses$/)
    await expect(menu(page)).not.toBeInViewport()
  })
})

test('the header has toggle, title and the profile menu: photo, name, username, /profile, Sign out', async ({
  page,
  open,
}) => {
  await open('/offers', 'admin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Offers')
  const button = page.getByRole('button', { name: /^Admin: profile and sign out/ })
  await expect(button.getByText('A', { exact: true })).toBeVisible()
  await expect(button.getByText('admin', { exact: true })).toBeVisible()
  await button.press('Enter')
  const items = page.getByRole('menuitem')
  await expect(items).toHaveText(['Profile', 'Sign out'])
  await expect(items.first()).toHaveAttribute('href', '/profile')
  await expect(items.first()).toBeFocused()
  // The languages are between them.
  await page.keyboard.press('ArrowUp')
  await expect(items.last()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(items).toHaveCount(0)
  await expect(button).toBeFocused()
  for (const [path, title] of [
    ['/parcels', 'Посылки'],
    ['/users', 'Users'],
    ['/settings/cpa-websites', 'CPA Websites'],
    ['/settings/statuses', 'Statuses'],
    ['/streams', 'Streams'],
    ['/statistics', 'Statistics'],
    ['/components-demo', 'Components'],
  ] as const) {
    await open(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  }
})

test('a regular user opens their statistics from the profile menu', async ({ page, open }) => {
  await open('/parcels', 'buyer')
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  await page.getByRole('menuitem', { name: 'Statistics' }).click()
  await expect(page).toHaveURL(/\/statistics$/)
})

test('the footer has terms, privacy and contacts without targets, and the current year', async ({
  page,
  open,
}) => {
  await page.clock.setFixedTime(new Date('2031-03-04T10:00:00+05:00'))
  await open('/parcels', 'buyer')
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByRole('link')).toHaveText(['Условия', 'Конфиденциальность', 'Контакты'])
  for (const link of await footer.getByRole('link').all()) expect(await link.getAttribute('href')).toBeNull()
  await expect(footer).toContainText('© 2031')
})

test.describe('In a browser with another time zone', () => {
  test.use({ timezoneId: 'America/Los_Angeles' })

  test('the footer has the year of the installation', async ({ page, open }) => {
    await page.clock.setFixedTime(new Date('2031-01-01T02:00:00+05:00'))
    await open('/parcels', 'buyer')
    await expect(page.getByRole('contentinfo')).toContainText('© 2031')
  })
})

test.describe('A host with alerts and problems of parcels', () => {
  test.use({ features: ['alerts', 'parcel_problems'], expectedStatus: [404, 500] })

  test('the number of unread alerts is counted again after a count has failed', async ({ page, open }) => {
    await page.clock.install()
    let calls = 0
    await mockAnswer(page, '/api/inbox/unread/', async (route) => {
      calls += 1
      await route.fulfill({ status: calls === 2 ? 500 : 200, json: calls === 2 ? {} : { unread: calls } })
    })
    await open('/offers', 'admin')
    await expect(page.getByRole('link', { name: 'Alerts, unread: 1' })).toBeVisible()
    const failure = page.waitForResponse((response) => response.status() === 500)
    await runClockUntil(page, () => calls === 2)
    await failure
    await runClockUntil(page, () => calls === 3)
    await expect(page.getByRole('link', { name: 'Alerts, unread: 3' })).toBeVisible()
  })

  test.describe('whose code cannot be loaded', () => {
    test.use({ expectedText: ['Failed to load resource', 'net::ERR_'] })

    test('the page stays when the code of a count cannot be loaded', async ({ page, open }) => {
      await page.route(/\/(?:alerts-link|problem-count)[^/]*\.js$/, (route) => route.abort())
      await open('/parcels', 'admin')
      await expect(page.getByRole('table')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Найти что угодно' })).toBeVisible()
      await expect(page.getByRole('navigation', { name: 'Main menu' })).toContainText('Parcels')
    })
  })
})

test('the first Tab reaches Skip to content, which moves the focus into the page', async ({ page, open }) => {
  await open('/offers', 'admin')
  await expect(page.getByRole('row')).not.toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('the browser does not offer to translate the page, which would keep old figures', async ({
  page,
  open,
}) => {
  await open('/offers', 'admin')
  await expect(page.locator('html')).toHaveAttribute('translate', 'no')
  await expect(page.locator('meta[name=google]')).toHaveAttribute('content', 'notranslate')
})
