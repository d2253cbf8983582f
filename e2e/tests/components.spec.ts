import { expect, test } from '../src/bare.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })
test.beforeEach(({ open }) => open('/components-demo', 'admin'))

test('the components page shows every generic widget live', async ({ page }) => {
  const main = page.getByRole('main')
  for (const [role, minCount] of [
    ['table', 1],
    ['searchbox', 1],
    ['combobox', 2],
    ['checkbox', 2],
    ['radio', 2],
    ['tab', 2],
  ] as const) {
    await expect(main.getByRole(role).first(), role).toBeVisible()
    expect(await main.getByRole(role).count(), role).toBeGreaterThanOrEqual(minCount)
  }
  await expect(main.getByRole('navigation', { name: 'Страницы' }).first()).toBeVisible()
  await expect(main.getByRole('button', { name: /^Период/ }).first()).toBeVisible()
  const form = main.getByRole('region', { name: 'Form' })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText(/ is required$/).first()).toBeVisible()
})

test("a loading button is disabled and shows 'Loading...' beside a spinner", async ({ page }) => {
  const button = page.getByRole('button', { name: 'Loading...' }).first()
  await expect(button).toBeDisabled()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  const getIterationCount = (element: Element) => getComputedStyle(element).animationIterationCount
  expect(await button.locator('[aria-hidden=true]').evaluate(getIterationCount)).toBe('infinite')
})

test('a modal opens in 300 ms and its backdrop in 150 ms', async ({ page }) => {
  const button = page.getByRole('button', { name: 'Open modal' })
  await button.click()
  const dialog = page.getByRole('dialog')
  const getTransitionDuration = (element: Element) => getComputedStyle(element).transitionDuration
  expect(await dialog.evaluate(getTransitionDuration)).toMatch(/^0\.3s/)
  expect(await dialog.locator('xpath=preceding-sibling::div').evaluate(getTransitionDuration)).toBe('0.15s')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button).toBeFocused()
})

test('Enter right after typing chooses the option that matches, not the first of the list before', async ({
  page,
}) => {
  const field = page.getByRole('combobox', { name: 'Stream', exact: true })
  await field.click()
  await expect(page.getByRole('option', { name: 'Stream 0', exact: true })).toBeVisible()
  await field.pressSequentially('Stream 299')
  await field.press('Enter')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(field).toHaveValue('Stream 299')
})

test('a modal that is longer than the window scrolls by keyboard, and its head and foot stay', async ({
  page,
  open,
}) => {
  await open('/components-demo', 'admin')
  await page.getByRole('button', { name: 'Open modal' }).press('Enter')
  const modal = page.getByRole('dialog')
  await expect(modal).toBeFocused()
  await expect(modal.getByText('Line 60 of a long text')).not.toBeInViewport()
  await page.keyboard.press('End')
  await expect(modal.getByText('Line 60 of a long text')).toBeInViewport()
  const close = modal.getByRole('button', { name: 'Close' })
  await close.focus()
  await page.keyboard.press('Home')
  await expect(modal.getByText('Line 1 of a long text')).toBeInViewport()
  await expect(modal.getByRole('heading')).toBeInViewport()
  await expect(close).toBeInViewport()
  await expect(modal.getByRole('button', { name: 'Done' })).toBeInViewport()
})
