import type { Locator, Page } from '@playwright/test'
import type { Api } from './api.ts'
import { storeSession } from './bare.ts'
import { startTestProduct, type Product } from './product.ts'
import { expect, test as base } from './test.ts'

/** Tests with the data of the demo, so that each list has more than one page. */
export const test = base.extend<object, { product: Product }>({
  product: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const product = await startTestProduct({ KARVON_DEMO: 'on' })
      await use(product)
      await product.stopAndRemove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

export { expect }

/** Outline and shadow of an element and of its two ancestors. The frame of a field often shows the focus. */
const readFocusStyle = (target: Locator) =>
  target.evaluate((element) => {
    const boxes = [element, element.parentElement, element.parentElement?.parentElement]
    return boxes.map((box) => {
      if (!box) return ''
      const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(box)
      const outline = outlineStyle === 'none' ? 'none' : `${outlineStyle} ${outlineWidth} ${outlineColor}`
      return `${outline} ${boxShadow}`
    })
  })

/** Presses Tab, at most 70 times, until the target has the focus, and expects a visible focus. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toHaveCount(1)
  // "Select all rows" is disabled until there are rows.
  await expect(target).not.toHaveAttribute('disabled')
  const isFocused = () => target.evaluate((element) => element === document.activeElement)
  if (await isFocused()) return
  const before = await readFocusStyle(target)
  let presses = 0
  do {
    expect(presses, `Tab reaches ${target.toString()}`).toBeLessThan(70)
    await page.keyboard.press(key)
    presses += 1
  } while (!(await isFocused()))
  await expect
    .poll(() => readFocusStyle(target), `the focus on ${target.toString()} is visible`)
    .not.toEqual(before)
}

/** Moves the focus to the target and presses a key. */
export async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Moves the focus to a field and replaces its text. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
  await expect(field).toHaveValue(text)
}

/** Opens a screen with a stored session of the admin. */
export async function openSignedIn(page: Page, api: Api, path: string): Promise<void> {
  await storeSession(page, { token: api.session.access_token, user: api.session })
  await page.goto(api.url + path)
  // The page may be loaded but not rendered.
  await expect(page.getByRole('main')).toBeVisible()
}

export async function signInByKeyboard(page: Page, { url, admin }: Product): Promise<void> {
  await page.goto(`${url}/login`)
  await typeInto(page, page.getByLabel('Имя пользователя'), admin.username)
  await typeInto(page, page.getByLabel('Пароль', { exact: true }), admin.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/parcels*')
}

/** Opens a select by the arrow key and chooses the named option, or the first. */
export async function chooseIn(page: Page, field: Locator, name?: string): Promise<void> {
  await pressOn(page, field, 'ArrowDown')
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options.first()).toBeVisible()
  if (name !== undefined) {
    // The first option may be there before the others have loaded.
    await expect.poll(() => options.allInnerTexts(), 'the options').toContain(name)
    const names = await options.allInnerTexts()
    const active = page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`)
    const steps = names.indexOf(name) - names.indexOf(await active.innerText())
    for (let step = 0; step < (steps + names.length) % names.length; step++)
      await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(field).not.toHaveValue('')
}

/** Types the password into the dialog and confirms the change. */
export async function confirmByPassword(
  page: Page,
  dialog: string,
  password: string,
  button: string,
): Promise<void> {
  const passwordDialog = page.getByRole('dialog', { name: dialog })
  await typeInto(page, passwordDialog.getByLabel('Current password'), password)
  await pressOn(page, passwordDialog.getByRole('button', { name: button, exact: true }))
  await passwordDialog.waitFor({ state: 'detached' })
}
