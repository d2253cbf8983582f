import { AxeBuilder } from '@axe-core/playwright'
import { expect, test as base, type Page } from '@playwright/test'
import { Api } from './api.ts'
import { startDesk, type Desk } from './desk.ts'
import { looksOf, variants } from './extent.ts'

/**
 * Journeys with a desk of their own for each file's worker. Console errors and exceptions in the page fail
 * the journey, except the browser's own line about an answer that the journey provoked on purpose:
 * `expectedStatus` lists such statuses, and `expectedText` what the product itself logs about them.
 */
export const test = base.extend<
  { expectedStatus: number[]; expectedText: string[]; watched: void },
  { desk: Desk; api: Api }
>({
  desk: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const desk = await startDesk()
      await use(desk)
      await desk.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  api: [
    async ({ desk }, use) => {
      await use(await Api.signIn(desk.url, desk.admin.username, desk.admin.password))
    },
    { scope: 'worker' },
  ],
  expectedStatus: [[], { option: true }],
  expectedText: [[], { option: true }],
  watched: [
    async ({ page, expectedStatus, expectedText }, use) => {
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => {
        if (message.type() !== 'error') return
        const text = message.text()
        if (expectedStatus.some((status) => text.includes(`status of ${status}`))) return
        if (expectedText.some((expected) => text.includes(expected))) return
        faults.push(text)
      })
      await use()
      expect(faults, 'the page reported no error').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Signs in through the login screen and waits for the parcels. */
export async function signIn(page: Page, url: string, username: string, password: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Имя пользователя').fill(username)
  await page.getByLabel('Пароль').fill(password)
  await page.getByRole('button', { name: 'Войти' }).click()
  await page.waitForURL('**/parcels*')
}

/**
 * Nothing that axe knows of is wrong with the page as it stands. In legacy mode, as axe calls it: these pages
 * have no frames, and the other one opens a second page for each look.
 */
export async function expectAccessible(page: Page, where = 'the page'): Promise<void> {
  await atRest(page)
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target).join(', ')}`)
  expect.soft(found, `axe: ${where}`).toEqual([])
}

/** Half-way through a fade every text is pale: waits for what ends by itself, spinners go on. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

/** The page scrolls down at the most, never sideways. */
export async function expectNoSidewaysScroll(page: Page, where = 'the page'): Promise<void> {
  const wider = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect.soft(wider, `pixels wider than the window: ${where}`).toBeLessThanOrEqual(0)
}

/** The page as it stands, at those of the widths in pixels and themes that this run looks at: neither wider than the window nor with a fault for axe. */
export async function expectSound(
  page: Page,
  where: string,
  looks: readonly (readonly [width: number, theme: 'light' | 'dark'])[],
): Promise<void> {
  if (!test.info().tags.includes(variants.tag)) throw new Error('Give this test the tag of variants')
  for (const [width, colorScheme] of looksOf(looks)) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await expectNoSidewaysScroll(page, `${where}, ${width} px, ${colorScheme}`)
    await expectAccessible(page, `${where}, ${width} px, ${colorScheme}`)
  }
}
