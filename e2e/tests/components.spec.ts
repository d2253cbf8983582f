import { expect, test } from '../src/bare.ts'

test.beforeEach(({ open }) => open('/components-demo', 'admin'))

test('shows every generic widget live', async ({ page }) => {
  const main = page.getByRole('main')
  for (const [role, least] of [
    ['table', 1],
    ['searchbox', 1],
    ['combobox', 2],
    ['checkbox', 2],
    ['radio', 2],
    ['tab', 2],
  ] as const) {
    await expect(main.getByRole(role).first(), role).toBeVisible()
    expect(await main.getByRole(role).count(), role).toBeGreaterThanOrEqual(least)
  }
  await expect(main.getByRole('navigation', { name: 'Страницы' }).first()).toBeVisible()
  await expect(main.getByRole('button', { name: /^Период/ }).first()).toBeVisible()
  const form = main.getByRole('region', { name: 'Form' })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText(/ is required$/).first()).toBeVisible()
})

test("a loading button is disabled and says 'Loading...' beside a spinner", async ({ page }) => {
  const button = page.getByRole('button', { name: 'Loading...' }).first()
  await expect(button).toBeDisabled()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  const spins = (element: Element) => getComputedStyle(element).animationIterationCount
  expect(await button.locator('[aria-hidden=true]').evaluate(spins)).toBe('infinite')
})

test('a modal takes 300 ms, its backdrop 150 ms', async ({ page }) => {
  const button = page.getByRole('button', { name: 'Open modal' })
  await button.click()
  const dialog = page.getByRole('dialog')
  const lasts = (element: Element) => getComputedStyle(element).transitionDuration
  expect(await dialog.evaluate(lasts)).toMatch(/^0\.3s/)
  expect(await dialog.locator('xpath=preceding-sibling::div').evaluate(lasts)).toBe('0.15s')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button).toBeFocused()
})
