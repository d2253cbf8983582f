import { AxeBuilder } from '@axe-core/playwright'
import { expect, test as base, type Page } from '@playwright/test'
import { Api } from './api.ts'
import { startTestProduct, type Product } from './product.ts'
import { interactionsFile, recordInteractions } from './interactions.ts'
import { selectAppearances, variants } from './extent.ts'

/**
 * Tests with one product for each worker. Console errors and exceptions in the page fail the test. `expectedStatus` lists
 * statuses that the browser may report, and `expectedText` texts that the product may log.
 */
export const test = base.extend<
  { expectedStatus: number[]; expectedText: string[]; errorCheck: void; interactions: void },
  { product: Product; api: Api }
>({
  product: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const product = await startTestProduct()
      await use(product)
      await product.stopAndRemove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  api: [
    async ({ product }, use) => {
      await use(await Api.signIn(product.url, product.admin.username, product.admin.password))
    },
    { scope: 'worker' },
  ],
  interactions: [
    async ({ page }, use) => {
      if (interactionsFile !== undefined) await recordInteractions(page, interactionsFile)
      await use()
    },
    { auto: true },
  ],
  expectedStatus: [[], { option: true }],
  expectedText: [[], { option: true }],
  errorCheck: [
    async ({ page, expectedStatus, expectedText }, use) => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(String(error)))
      page.on('console', (message) => {
        if (message.type() !== 'error') return
        const text = message.text()
        if (expectedStatus.some((status) => text.includes(`status of ${status}`))) return
        if (expectedText.some((expected) => text.includes(expected))) return
        errors.push(text)
      })
      await use()
      expect(errors, 'the page reported no error').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Signs in through the login screen and waits for the parcels. */
export async function signIn(page: Page, url: string, username: string, password: string): Promise<void> {
  await page.goto(`${url}/login`)
  await submitSignIn(page, username, password)
  await page.waitForURL('**/parcels*')
}

/** Signs in on the shown login screen. */
export async function submitSignIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Имя пользователя').fill(username)
  await page.getByLabel('Пароль').fill(password)
  await page.getByRole('button', { name: 'Войти' }).click()
}

/**
 * Expects that axe finds no violation on the page. It uses the legacy mode, because the pages have no frames and the other
 * mode opens a second page for each run.
 */
export async function expectAccessible(page: Page, where = 'the page'): Promise<void> {
  await waitForAnimations(page)
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const violationTexts = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target).join(', ')}`)
  expect.soft(violationTexts, `axe: ${where}`).toEqual([])
}

/** Waits for finite animations, because a text has low contrast during a fade. Spinners do not end. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const finiteAnimations = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(finiteAnimations.map(({ finished }) => finished))
  })
}

/** Expects that the page has no horizontal scroll bar. */
export async function expectNoHorizontalScroll(page: Page, where = 'the page'): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect.soft(overflow, `pixels wider than the window: ${where}`).toBeLessThanOrEqual(0)
}

/** A window of 1280 px at a zoom of 400 % (WCAG 2.2, 1.4.10). */
export const reflowWidth = 320

/** Widths and themes in which a test checks a page. */
export type Appearances = readonly (readonly [width: number, theme: 'light' | 'dark'])[]

/** Phones and desktops in each theme. A test that continues on a desktop ends with it. */
export const allAppearances: Appearances = [
  [360, 'dark'],
  [360, 'light'],
  [1440, 'dark'],
  [1440, 'light'],
]

/** Checks the page for horizontal scrolling and axe violations, at the widths and themes of this run, and for scrolling at 320 px. */
export async function expectAccessibleLayout(
  page: Page,
  where: string,
  appearances: Appearances,
): Promise<void> {
  if (!test.info().tags.includes(variants.tag)) throw new Error('Give this test the tag @variants')
  await page.setViewportSize({ width: reflowWidth, height: 900 })
  await expectNoHorizontalScroll(page, `${where}, ${reflowWidth} px`)
  for (const [width, colorScheme] of selectAppearances(appearances)) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await expectNoHorizontalScroll(page, `${where}, ${width} px, ${colorScheme}`)
    await expectAccessible(page, `${where}, ${width} px, ${colorScheme}`)
  }
}
