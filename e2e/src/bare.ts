import { join } from 'node:path'
import type { AppSettings } from '@karvon/contract/app/app.ts'
import type { Feature } from '@karvon/contract/lib/features.ts'
import type { Page, Request, Route } from '@playwright/test'
import { startBareHost, type BareHost } from '@karvon/testkit/fakes/bare-host.ts'
import { expect, test as base } from './test.ts'

const web = join(import.meta.dirname, '..', '..', 'web', 'dist')

export type Role = 'admin' | 'buyer'

interface PageFixtures {
  /** Opens a screen of the built web, with a stored session if a role is given. Waits for the call of the settings. */
  open: (path: string, role?: Role) => Promise<void>
  /** Features that the host announces beyond the specification. Default: none. */
  features: readonly Feature[]
}

/** Tests of the built web on a host that has only the specified calls. `mockAnswer` replaces single answers. */
export const test = base.extend<PageFixtures, { bare: BareHost }>({
  // The host has no settings call, so the browser reports a 404 on each load.
  // eslint-disable-next-line no-empty-pattern
  expectedStatus: async ({}, give) => give([404]),
  bare: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const host = await startBareHost(web)
      await use(host)
      await host.close()
    },
    { scope: 'worker' },
  ],
  features: [[], { option: true }],
  open: async ({ page, bare, features }, give) => {
    if (features.length > 0) await announceFeatures(page, ...features)
    await give(async (path, role) => {
      if (role) await storeSession(page, createSession(role))
      // Each load asks for the settings. A late call would disturb a test that looks at the calls.
      await Promise.all([page.waitForResponse('**/api/app/settings'), page.goto(bare.url + path)])
    })
  },
})

export { expect }

/** Makes the host announce features and other settings beyond the specification. */
export const announceFeatures = (page: Page, ...features: (Feature | Partial<AppSettings>)[]) =>
  mockAnswer(page, '/api/app/settings', {
    body: Object.assign(
      {},
      ...features.map((feature) => (typeof feature === 'string' ? { [feature]: true } : feature)),
    ),
  })

/** The record that a sign-in stores. */
export const createSession = (role: Role) => ({
  token: `token-of-${role}`,
  user: {
    id: role === 'admin' ? 1 : 2,
    username: role,
    email: `${role}@example.org`,
    name: role === 'admin' ? 'Admin' : 'Buyer',
    role,
    is_active: true,
  },
})

/** Stores a session once, before the first screen of this tab. */
export async function storeSession(page: Page, record: unknown): Promise<void> {
  const text = typeof record === 'string' ? record : JSON.stringify(record)
  await page.addInitScript((storedText) => {
    if (sessionStorage.getItem('kept')) return
    sessionStorage.setItem('kept', 'yes')
    localStorage.setItem('emu_auth', storedText)
  }, text)
}

export const readStoredSession = (page: Page): Promise<unknown> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('emu_auth') ?? 'null') as unknown)

export interface Answer {
  status?: number
  body?: unknown
  /** Only calls with this method. Default: any. */
  method?: string
  headers?: Record<string, string>
}

/** Mocks the answers of calls. `path` is a glob after the host. Returns a function that removes the mock. */
export async function mockAnswer(page: Page, path: string, mock: Answer | ((route: Route) => Promise<void>)) {
  const handler = async (route: Route) => {
    if (typeof mock === 'function') return mock(route)
    if (mock.method && route.request().method() !== mock.method) return route.fallback()
    await route.fulfill({
      status: mock.status ?? 200,
      contentType: 'application/json',
      body: JSON.stringify(mock.body ?? {}),
      ...(mock.headers && { headers: mock.headers }),
    })
  }
  const glob = `**${path}`
  await page.route(glob, handler)
  return () => page.unroute(glob, handler)
}

/** Delays calls until the returned function releases them. */
export async function holdAnswers(page: Page, path: string): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>()
  await mockAnswer(page, path, async (route) => {
    await gate.promise
    await route.fallback()
  })
  return async () => {
    gate.resolve()
    await page.unroute(`**${path}`)
  }
}

/** Stops the clock of the page. Then only `page.clock.runFor` advances it. Needs `clock.install` first. */
export async function stopClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  // The clock goes on until the call comes, and cannot stop at a time that has passed. A call ends after 5 s of this clock.
  await page.clock.pauseAt(now + 3000)
}

/** Lets an installed clock go on until the page has made a call, in steps that are short beside the time limit of a call. */
export async function runClockUntil(page: Page, isCalled: () => boolean): Promise<void> {
  for (let step = 0; !isCalled(); step += 1) {
    if (step === 1000) throw new Error('The page made no call.')
    await page.clock.runFor(200)
  }
}

/** Lets a stopped clock go on until `check` passes. The page renders an answer by a timer. */
export const expectWhileClockRuns = (page: Page, check: () => Promise<void> | void): Promise<void> =>
  expect(async () => {
    await page.clock.runFor(100)
    await check()
  }).toPass()

/** Holds the calls that write to a path. The returned function answers them. */
export async function holdWrites(page: Page, path: string) {
  const gate = Promise.withResolvers<{ status: number; body: object }>()
  await mockAnswer(page, path, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    const { status, body } = await gate.promise
    await route.fulfill({ status, json: body })
  })
  return (status: number, body: object = {}) => gate.resolve({ status, body })
}

/** Whether a request writes to an address with this part. */
export const isWrite = (path: string) => (request: Request) =>
  request.method() !== 'GET' && request.url().includes(path)

/** A list with one page. */
export const createList = (...items: readonly object[]) => ({
  items,
  meta: { total: items.length, filtered_total: items.length },
})

export const dialogOf = (page: Page) => page.getByRole('dialog')
