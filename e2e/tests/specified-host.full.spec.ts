import { join } from 'node:path'
import { resources } from '@karvon/contract/registry.ts'
import { bareParcels, bareReports, bareRows, type Row } from '@karvon/testkit/fakes/bare-host.rows.ts'
import { startBareHost, type BareHost, type BareHostOptions } from '@karvon/testkit/fakes/bare-host.ts'
import type { Page } from '@playwright/test'
import { expect, storeSession, createSession, readStoredSession, test } from '../src/bare.ts'
import { selectSample, variants } from '../src/extent.ts'
import { resourceScreens } from '../src/resources.ts'
import { findUnspecifiedCalls, createIncompleteRows } from '../src/specified.ts'

const web = join(import.meta.dirname, '..', '..', 'web', 'dist')

// Only the settings call is not answered.
test.use({ expectedStatus: [401, 404, 500] })
test.setTimeout(300_000)

/** A busy machine may need long to draw a list of all incomplete rows. */
const longTimeout = { timeout: 30_000 }

/** Texts that show that a missing value was not handled. */
const unhandledValue = /undefined|NaN|null|Invalid|\[object|01[./]01[./]1970/

async function withHost(options: BareHostOptions, check: (host: BareHost) => Promise<void>) {
  const host = await startBareHost(web, options)
  try {
    await check(host)
  } finally {
    await host.close()
  }
}

/** A session as an earlier version of the web stored it. */
const earlier = {
  ...createSession('admin'),
  user: { ...createSession('admin').user, created_at: '2026-11-01', updated_at: '2026-11-01' },
}

const rowsOf = (page: Page) => page.locator('tr[data-key]')

const lists = [
  '/parcels',
  ...resourceScreens.map(({ path }) => path),
  '/users?tab=roles&view=access',
  '/statistics',
  '/statistics?tab=offers',
  '/statistics?tab=streams',
]

/** The product's additions to the specification, by the names of their links, tabs and buttons. */
const beyond = {
  link: /^(?:Uploads|Sessions|Audit log|Money|Leads|Unmapped statuses|Courier accounts|Postback)/,
  tab: /^(?:Connectors|Money|Notices)$/,
  button: /^(?:Export|Import|Экспорт|Импорт)$/,
}

for (const { answers, shape } of selectSample([
  { answers: 404, shape: 'meta' },
  { answers: 401, shape: 'total_items' },
  { answers: 500, shape: 'array' },
  { answers: 'silence', shape: 'meta' },
] as const)) {
  test(
    `every specified screen works on a host whose lists are ${shape} and whose further calls get ${answers}`,
    variants,
    async ({ page }) => {
      await withHost({ shape, undescribed: answers }, async (host) => {
        await storeSession(page, earlier)
        for (const path of lists) {
          await page.goto(host.url + path)
          await expect(rowsOf(page), path).not.toHaveCount(0)
          await expect(page.getByRole('alert'), path).toHaveCount(0)
          await expect(page.getByRole('main'), path).not.toContainText(unhandledValue)
          for (const role of ['link', 'tab', 'button'] as const)
            await expect(page.getByRole(role, { name: beyond[role] }), `${path}: ${role}`).toHaveCount(0)
        }
        await page.goto(`${host.url}/components-demo`)
        await expect(page.getByRole('main')).toContainText('Components')
        expect(await readStoredSession(page)).not.toBeNull()
        expect([...new Set(findUnspecifiedCalls(host.calls))]).toEqual([])

        await page.getByRole('button', { name: /profile and sign out/ }).click()
        await page.getByRole('menuitem', { name: 'Sign out' }).click()
        for (const [path, heading] of [
          ['/login', 'Вход'],
          ['/register', 'Регистрация'],
          ['/forgot-password', 'Сброс пароля'],
        ] as const) {
          await page.goto(host.url + path)
          await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible({
            timeout: 4000,
          })
        }
        expect([...new Set(findUnspecifiedCalls(host.calls))]).toEqual([])
      })
    },
  )
}

test('a screen that the host does not announce leads to /parcels like any unknown path', async ({ page }) => {
  await withHost({}, async (host) => {
    await storeSession(page, earlier)
    for (const path of [
      '/uploads',
      '/sessions',
      '/money',
      '/settlements',
      '/audit',
      '/leads',
      '/settings/courier',
      '/profile',
      '/track',
    ]) {
      await page.goto(host.url + path)
      await expect(page, path).toHaveURL(/\/parcels$/)
    }
    expect([...new Set(findUnspecifiedCalls(host.calls))]).toEqual([])
  })
})

for (const { name, schemas, noun } of selectSample(
  resources.filter(({ feature }) => feature === undefined),
)) {
  test(
    `${name}: a row that lacks any field of the contract does not break the list or a form`,
    variants,
    async ({ page }) => {
      const screen =
        name === 'role-source-access'
          ? '/users?tab=roles&view=access'
          : resourceScreens.find(({ list }) => list === `/api/admin/${name}/`)?.path
      const completeRow = bareRows[name]?.[0]
      if (screen === undefined || completeRow === undefined)
        throw new Error(`${name} has no screen or no row to test`)
      const declaredKeys = Object.keys((schemas.row as { properties?: object }).properties ?? {})
      expect(declaredKeys).toEqual(expect.arrayContaining(['id']))
      const rows = createIncompleteRows(completeRow)
      const transform: BareHostOptions['transform'] = (answer, { method, path }) => {
        const [, at] = new RegExp(`^/api/admin/${name}/(\\d*)/?$`).exec(path) ?? []
        if (at === undefined || method !== 'GET') return answer
        return at === ''
          ? rows
          : name === 'source-credentials'
            ? { items: [rows[Number(at) - 1]] }
            : rows[Number(at) - 1]
      }
      await withHost({ transform }, async (host) => {
        await storeSession(page, createSession('admin'))
        await page.goto(`${host.url}${screen}${screen.includes('?') ? '&' : '?'}size=50`)
        await expect(rowsOf(page)).toHaveCount(rows.length, longTimeout)
        await expect(page.getByRole('main')).not.toContainText(unhandledValue)
        const dialog = page.getByRole('dialog')
        for (const { id } of rows) {
          await page
            .locator(`tr[data-key="${String(id)}"]`)
            .getByRole('cell')
            .last()
            .click()
          await expect(dialog.getByRole('heading', { name: `Edit ${noun.one}` })).toBeVisible()
          await expect(dialog.getByRole('button', { name: 'Save' })).toBeVisible()
          await expect(dialog).not.toContainText(unhandledValue)
          await page.keyboard.press('Escape')
          await expect(dialog).toHaveCount(0)
        }
      })
    },
  )
}

test('parcels: a row that lacks any field does not break the list or its detail', async ({ page }) => {
  const completeRow = bareParcels[0] as Row
  const { id: _, ...withoutId } = completeRow
  const rows = [...createIncompleteRows(completeRow), withoutId]
  const transform: BareHostOptions['transform'] = (answer, { path }) => {
    const [, at = ''] = /^\/api\/parcel\/parcels\/(\w+)$/.exec(path) ?? []
    if (at === 'all') return rows
    return /^\d+$/.test(at) ? rows[Number(at) - 1] : answer
  }
  await withHost({ transform }, async (host) => {
    await storeSession(page, createSession('buyer'))
    await page.goto(`${host.url}/parcels?size=50`)
    await expect(rowsOf(page)).toHaveCount(rows.length, longTimeout)
    await expect(page.getByRole('main')).not.toContainText(unhandledValue)
    for (let index = 0; index < rows.length; index += 1) {
      await rowsOf(page).nth(index).click()
      await expect(
        page.getByRole('complementary').getByRole('list', { name: 'История статусов' }),
      ).toBeAttached()
      await expect(page.getByRole('main')).not.toContainText(unhandledValue)
    }
    expect(host.calls.filter(({ path }) => /parcels\/row/.test(path))).toEqual([])
  })
})

for (const kind of ['daily', 'offers', 'streams']) {
  test(`statistics by ${kind}: a row that lacks any figure does not break the report`, async ({ page }) => {
    const rows = createIncompleteRows(bareReports[kind]?.[0] as Row)
    const transform: BareHostOptions['transform'] = (answer, { path }) =>
      path.endsWith(`/report/${kind}`) ? rows : answer
    await withHost({ transform }, async (host) => {
      await storeSession(page, createSession('admin'))
      await page.goto(`${host.url}/statistics?tab=${kind}&size=50`)
      await expect(rowsOf(page)).toHaveCount(rows.length, longTimeout)
      await expect(page.getByRole('main')).not.toContainText(unhandledValue)
    })
  })
}
