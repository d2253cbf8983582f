import type { Page } from '@playwright/test'

// Chromium counts a focused element as visible if this much of it is visible. So does the test.
const visibleWidth = 32

/** Describes the focused element if it lies outside of the window or behind another element. Null at a second visit. */
const describeHiddenFocus = (leastWidth: number) => {
  const element = document.activeElement
  if (element === null || element === document.body) return ''
  if (element.hasAttribute('data-visited')) return null
  element.setAttribute('data-visited', '')
  const box = element.getBoundingClientRect()
  const left = Math.max(box.left, 0)
  const right = Math.min(box.right, innerWidth)
  const middle = (box.top + box.bottom) / 2
  const points = [left + 2, (left + right) / 2, right - 2].map((x) => document.elementFromPoint(x, middle))
  const isCovered = !points.some(
    (top) => top && (element.contains(top) || top.parentElement?.contains(element)),
  )
  const isOutside = right - left < Math.min(box.width, leastWidth)
  const name = element.getAttribute('aria-label') ?? element.textContent
  return isCovered || isOutside ? `${element.tagName} ${name} at ${box.left}, ${box.top}` : ''
}

/** Presses a key until the focus returns to an element, and lists focused elements that cannot be seen. */
export async function listHiddenFocus(
  page: Page,
  key: 'Tab' | 'Shift+Tab',
): Promise<{ stops: number; hidden: string[] }> {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('[data-visited]')) element.removeAttribute('data-visited')
  })
  const hidden: string[] = []
  for (let stops = 0; stops < 400; stops += 1) {
    await page.keyboard.press(key)
    const description = await page.evaluate(describeHiddenFocus, visibleWidth)
    if (description === null) return { stops, hidden }
    if (description !== '') hidden.push(description)
  }
  throw new Error('The focus does not return to the first element.')
}
