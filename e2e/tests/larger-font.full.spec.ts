import type { Page } from '@playwright/test'
import { expect, test } from '../src/bare.ts'
import { expectNoHorizontalScroll } from '../src/test.ts'

test.use({ features: ['profile', 'sessions', 'exports', 'imports', 'report_rates'] })

/** Sets the default font size of the browser to 24 pixels instead of 16. */
async function enlargeFont(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Page.setFontSizes', { fontSizes: { standard: 24 } })
}

/** The texts that are larger than their boxes. An ellipsis is intended, and a scrolling box. */
const listCutTexts = (page: Page) =>
  page.locator('body *:not(svg *)').evaluateAll((elements) =>
    elements.flatMap((element) => {
      const { display, visibility, textOverflow, overflowX, webkitLineClamp } = getComputedStyle(element)
      const hasText = [...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE)
      const isShown = visibility === 'visible' && element.clientWidth > 1 && display !== 'inline'
      const isShortened = textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
      const { scrollWidth, scrollHeight, clientWidth, clientHeight } = element
      const isCut = scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 2
      return hasText && isShown && !isShortened && overflowX !== 'auto' && isCut ? [element.textContent] : []
    }),
  )

async function expectWholeTexts(page: Page, where: string): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoHorizontalScroll(page, `${where}, ${width} px`)
    expect.soft(await listCutTexts(page), `${where}, ${width} px`).toEqual([])
  }
}

const readFontSize = (page: Page) => page.evaluate(() => getComputedStyle(document.body).fontSize)

test('a larger default font of the browser enlarges the texts, and no text is cut', async ({
  page,
  open,
}) => {
  await open('/login')
  expect(await readFontSize(page)).toBe('14px')
  await enlargeFont(page)
  await expect.poll(() => readFontSize(page)).toBe('21px')
  await expectWholeTexts(page, '/login')
  for (const path of ['/parcels', '/statistics', '/users', '/offers', '/profile']) {
    await open(path, 'admin')
    await expect(page.getByRole('main')).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expectWholeTexts(page, path)
  }
  await open('/offers', 'admin')
  await page.getByRole('button', { name: 'New offer' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectWholeTexts(page, 'New offer')
  await open('/parcels', 'admin')
  await page.setViewportSize({ width: 360, height: 900 })
  await page.getByRole('button', { name: /^Период/ }).click()
  const lastDay = page.getByRole('dialog').getByRole('row').last()
  await expect(lastDay).toBeVisible()
  expect(await page.getByRole('dialog').evaluate((popup) => popup.scrollWidth - popup.clientWidth)).toBe(0)
})
