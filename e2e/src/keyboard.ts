import type { Locator, Page } from '@playwright/test'
import type { Api } from './api.ts'
import { keepSession } from './bare.ts'
import { startDesk, type Desk } from './desk.ts'
import { expect, test as base } from './test.ts'

/** Journeys on a desk that the demo has filled, so that there is more than one page of everything. */
export const test = base.extend<object, { desk: Desk }>({
  desk: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const desk = await startDesk({ KARVON_DEMO: 'on' })
      await use(desk)
      await desk.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

export { expect }

/** How an element and the two boxes around it are drawn: a field's focus is often shown by its frame. */
const look = (target: Locator) =>
  target.evaluate((element) => {
    const boxes = [element, element.parentElement, element.parentElement?.parentElement]
    return boxes.map((box) => {
      if (!box) return ''
      const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(box)
      const outline = outlineStyle === 'none' ? 'none' : `${outlineStyle} ${outlineWidth} ${outlineColor}`
      return `${outline} ${boxShadow}`
    })
  })

/** Presses Tab until the target has the focus, 70 times at the most, and expects the focus to be seen. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toHaveCount(1)
  const focused = () => target.evaluate((element) => element === document.activeElement)
  if (await focused()) return
  const before = await look(target)
  let presses = 0
  do {
    expect(presses, `Tab reaches ${target.toString()}`).toBeLessThan(70)
    await page.keyboard.press(key)
    presses += 1
  } while (!(await focused()))
  await expect.poll(() => look(target), `the focus on ${target.toString()} is seen`).not.toEqual(before)
}

/** Goes to the target and presses a key there. */
export async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Goes to a field, replaces what stands in it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

/** Opens a screen as the admin, whose session the browser holds already. */
export async function openSigned(page: Page, api: Api, path: string): Promise<void> {
  await keepSession(page, { token: api.session.access_token, user: api.session })
  await page.goto(api.url + path)
  // Loaded is not drawn: whoever looks at once would see an empty page.
  await expect(page.getByRole('main')).toBeVisible()
}

export async function signInByKeyboard(page: Page, { url, admin }: Desk): Promise<void> {
  await page.goto(`${url}/login`)
  await typeInto(page, page.getByLabel('Имя пользователя'), admin.username)
  await typeInto(page, page.getByLabel('Пароль', { exact: true }), admin.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/parcels*')
}

/** Opens a select with the arrow and chooses the option of that name, else its first one. */
export async function chooseIn(page: Page, field: Locator, name?: string): Promise<void> {
  await pressOn(page, field, 'ArrowDown')
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options.first()).toBeVisible()
  if (name !== undefined) {
    const names = await options.allInnerTexts()
    const active = page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`)
    const steps = names.indexOf(name) - names.indexOf(await active.innerText())
    expect(names, 'the options').toContain(name)
    for (let step = 0; step < (steps + names.length) % names.length; step++)
      await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(field).not.toHaveValue('')
}

/** Types the password into the dialog that asks for it before a change, and makes the change. */
export async function confirmByPassword(
  page: Page,
  dialog: string,
  password: string,
  button: string,
): Promise<void> {
  const asked = page.getByRole('dialog', { name: dialog })
  await typeInto(page, asked.getByLabel('Current password'), password)
  await pressOn(page, asked.getByRole('button', { name: button, exact: true }))
  await asked.waitFor({ state: 'detached' })
}
