import { join } from 'node:path'
import type { AppSettings } from '@karvon/contract/app/app.ts'
import type { Feature } from '@karvon/contract/lib/features.ts'
import type { Page, Route } from '@playwright/test'
import { startBareHost, type BareHost } from '@karvon/testkit/fakes/bare-host.ts'
import { test as base } from './test.ts'

const web = join(import.meta.dirname, '..', '..', 'web', 'dist')

export type Role = 'admin' | 'buyer'

interface PageFixtures {
  /** Opens a screen of the built web as somebody who signed in before. */
  open: (path: string, role?: Role) => Promise<void>
  /** What the host announces beyond the specification; nothing by default. */
  features: readonly Feature[]
}

/** Journeys of the built web on a host that knows the described calls alone; single answers by `answer`. */
export const test = base.extend<PageFixtures, { bare: BareHost }>({
  // The host has no settings call, so the browser says so once on each load.
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
    if (features.length > 0) await announce(page, ...features)
    await give(async (path, role) => {
      if (role) await keepSession(page, sessionOf(role))
      await page.goto(bare.url + path)
    })
  },
})

export { expect } from './test.ts'

/** Has the host announce features (and other settings) that the specification does not know. */
export const announce = (page: Page, ...names: (Feature | Partial<AppSettings>)[]) =>
  answer(page, '/api/app/settings', {
    body: Object.assign({}, ...names.map((each) => (typeof each === 'string' ? { [each]: true } : each))),
  })

/** The record that a sign-in leaves behind. */
export const sessionOf = (role: Role) => ({
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

/** Puts a record under the session's key before the first screen of this tab, and never again. */
export async function keepSession(page: Page, record: unknown): Promise<void> {
  const text = typeof record === 'string' ? record : JSON.stringify(record)
  await page.addInitScript((stored) => {
    if (sessionStorage.getItem('kept')) return
    sessionStorage.setItem('kept', 'yes')
    localStorage.setItem('emu_auth', stored)
  }, text)
}

export const storedSession = (page: Page): Promise<unknown> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('emu_auth') ?? 'null') as unknown)

export interface Answer {
  status?: number
  body?: unknown
  /** Only calls of this method; any by default. */
  method?: string
  headers?: Record<string, string>
}

/** Answers the calls below an address; `path` is a glob after the host. Returns the undo. */
export async function answer(page: Page, path: string, given: Answer | ((route: Route) => Promise<void>)) {
  const handler = async (route: Route) => {
    if (typeof given === 'function') return given(route)
    if (given.method && route.request().method() !== given.method) return route.fallback()
    await route.fulfill({
      status: given.status ?? 200,
      contentType: 'application/json',
      body: JSON.stringify(given.body ?? {}),
      ...(given.headers && { headers: given.headers }),
    })
  }
  const glob = `**${path}`
  await page.route(glob, handler)
  return () => page.unroute(glob, handler)
}

/** Holds the calls below an address until the returned function lets them go on. */
export async function hold(page: Page, path: string): Promise<() => Promise<void>> {
  const waiting = Promise.withResolvers<void>()
  await answer(page, path, async (route) => {
    await waiting.promise
    await route.fallback()
  })
  return async () => {
    waiting.resolve()
    await page.unroute(`**${path}`)
  }
}

/** Stops the page's clock: from here time goes on by `page.clock.runFor` alone. Needs `clock.install` before. */
export async function stopClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + 1000)
}
