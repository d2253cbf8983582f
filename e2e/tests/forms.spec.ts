import type { Page } from '@playwright/test'
import { dialogOf, expect, test } from '../src/bare.ts'

/** Holds the code of the resource form until the returned function is called. */
async function holdForm(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await page.route('**/resource-form*.js', async (route) => {
    await gate.promise
    await route.continue()
  })
  return gate.resolve
}

test('keys typed before a form has loaded reach its first field', async ({ page, open }) => {
  const release = await holdForm(page)
  await open('/offers', 'admin')
  await page.getByRole('button', { name: 'New offer' }).click()
  await page.keyboard.type('Kettlee')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  release()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox').first()).toHaveValue('Kettle')
  await expect(dialog.getByRole('textbox').first()).toBeFocused()
  await page.keyboard.type(' 2')
  await expect(dialog.getByRole('textbox').first()).toHaveValue('Kettle 2')
})

test('keys typed after Esc do not reach a form that opens later', async ({ page, open }) => {
  const release = await holdForm(page)
  await open('/offers', 'admin')
  await page.getByRole('button', { name: 'New offer' }).click()
  await page.keyboard.type('Ke')
  await page.keyboard.press('Escape')
  release()
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toHaveValue('')
})

test('a press beside a form does not lose what was typed', async ({ page, open }) => {
  await open('/offers', 'admin')
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Name', { exact: true })
  await page.getByRole('button', { name: 'New offer' }).click()
  await expect(name).toBeFocused()
  await page.mouse.click(5, 5)
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'New offer' }).click()
  await expect(name).toBeFocused()
  await page.keyboard.type('Kettle')
  await page.mouse.click(5, 5)
  await expect(name).toBeFocused()
  await page.keyboard.type(' 2')
  await expect(name).toHaveValue('Kettle 2')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('a page is left without a question directly after Cancel in its form', async ({ page, open }) => {
  await open('/offers', 'admin')
  await page.getByRole('button', { name: 'New offer' }).click()
  await dialogOf(page).getByRole('textbox').first().fill('Half an offer')
  // The dialog fades for 300 ms.
  await page.evaluate(async () => {
    const press = (selector: string, text: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].find((item) => item.textContent === text)?.click()
    press('[role=dialog] button', 'Cancel')
    await new Promise((resolve) => setTimeout(resolve, 100))
    press('nav a', 'Streams')
  })
  await expect(page).toHaveURL(/\/streams$/)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('a pasted text that is too long stays whole, shows an error and is not sent', async ({ page, open }) => {
  const sentUrls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sentUrls.push(request.url())
  })
  await open('/offers', 'admin')
  await page.getByRole('button', { name: 'New offer' }).click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Name', { exact: true })
  await name.focus()
  await page.keyboard.insertText('x'.repeat(256))
  await expect(name).toHaveValue('x'.repeat(256))
  await expect(dialog.getByText('Name must have at most 255 characters')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(name).toBeFocused()
  expect(sentUrls).toEqual([])
  await page.keyboard.press('Backspace')
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  await expect(dialog.getByText('Name must have at most 255 characters')).toHaveCount(0)
})

test('a field of a number that Tab reaches has its whole text selected', async ({ page, open }) => {
  await open('/offers', 'admin')
  await page.getByRole('button', { name: 'New offer' }).click()
  const dialog = page.getByRole('dialog')
  const price = dialog.getByLabel('Price', { exact: true })
  const fee = dialog.getByLabel('Affiliate fee', { exact: true })
  await fee.fill('1230000')
  await price.focus()
  await expect(fee).toHaveValue(/^1\s230\s000$/)
  await page.keyboard.press('Tab')
  await expect(fee).toHaveValue('1230000')
  await page.keyboard.type('45000')
  await expect(fee).toHaveValue('45000')
  await price.focus()
  await fee.fill('50')
  await expect(fee).toHaveValue('50')
})

test('the sign-in does not send a username that is too long', async ({ page, open }) => {
  const sentUrls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sentUrls.push(request.url())
  })
  await open('/login')
  await page.getByLabel('Имя пользователя', { exact: true }).fill('x'.repeat(101))
  await page.getByLabel('Пароль', { exact: true }).fill('password')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Имя пользователя: не больше 100 знаков')).toBeVisible()
  await expect(page.getByLabel('Имя пользователя', { exact: true })).toBeFocused()
  expect(sentUrls).toEqual([])
})
