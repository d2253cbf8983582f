import { variants } from '../src/extent.ts'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { Authenticator } from '../src/authenticator.ts'
import { openSignedIn, pressOn, typeInto } from '../src/keyboard.ts'
import { expect, expectAccessibleLayout, signIn, test, type Appearances } from '../src/test.ts'

test.use({ expectedStatus: [401, 422, 429] })

const appearances: Appearances = [
  [360, 'dark'],
  [1440, 'light'],
]

const card = (page: Page) => page.getByRole('region', { name: 'Second factor' })
const dialog = (page: Page, name = 'Second factor') => page.getByRole('dialog', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const codeField = (page: Page) => page.getByLabel('Код подтверждения', { exact: true })

/** By keyboard: username and password, up to the second step. */
async function enterPassword(page: Page, url: string, username: string, password: string) {
  await page.goto(`${url}/login`)
  await typeInto(page, page.getByLabel('Имя пользователя'), username)
  await typeInto(page, page.getByLabel('Пароль', { exact: true }), password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Код подтверждения')
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
}

/**
 * On the profile: enters the password, the secret and the first code; returns the app and the recovery
 * codes.
 */
async function setUp(page: Page, url: string, password: string, appearances: Appearances = []) {
  await page.goto(`${url}/profile`)
  await expect(card(page).getByRole('status')).toHaveText('Off')
  await pressOn(page, button(page, 'Set up'))
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page).getByLabel('Current password')).toBeFocused()
  await typeInto(page, dialog(page).getByLabel('Current password'), 'not this one')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('The current password is not right.')
  await typeInto(page, dialog(page).getByLabel('Current password'), password)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible()
  await expect(dialog(page).getByLabel('Code of the app')).toBeFocused()
  const secret = await dialog(page).locator('code').innerText()
  await expectAccessibleLayout(page, 'the secret of a second factor', appearances)
  await pressOn(page, button(page, 'Copy the secret'))
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  const phone = new Authenticator(secret)
  const code = dialog(page).getByLabel('Code of the app')
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(code).toHaveAttribute('inputmode', 'numeric')
  await typeInto(page, code, '000000')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('The code is wrong')
  await typeInto(page, code, phone.next())
  await page.keyboard.press('Enter')
  const codes = dialog(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  return { phone, recovery: await codes.allInnerTexts() }
}

test(
  'a person turns a second factor on, signs in with the app and with a recovery code, and turns it off',
  variants,
  async ({ page, api, context }) => {
    test.setTimeout(300_000)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { password } = await api.newPerson('careful')
    await signIn(page, api.url, 'careful', password)
    const { phone, recovery } = await setUp(page, api.url, password, appearances)
    const [first = ''] = recovery
    await expect(page.getByText('The second factor is on.')).toBeVisible()
    await expectAccessibleLayout(page, 'recovery codes', appearances)
    await pressOn(page, button(page, 'Copy'))
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(recovery.join('\n'))
    const downloading = page.waitForEvent('download')
    await pressOn(page, button(page, 'Download'))
    const file = await downloading
    expect(file.suggestedFilename()).toBe('karvon-recovery-codes.txt')
    expect(await readFile(await file.path(), 'utf8')).toBe(`${recovery.join('\n')}\n`)
    await pressOn(page, button(page, 'Done'))
    await expect(dialog(page)).toHaveCount(0)
    await expect(card(page).getByRole('status')).toHaveText('On')
    await expect(card(page)).toContainText('Recovery codes left: 10')
    await expectAccessibleLayout(page, 'a second factor that is on', appearances)

    await signOut(page)
    await enterPassword(page, api.url, 'careful', password)
    await expect(codeField(page)).toBeFocused()
    await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric')
    await expectAccessibleLayout(page, 'the second step of the sign-in', appearances)
    await typeInto(page, codeField(page), '000000')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Неверный код, или он уже использован')
    await typeInto(page, codeField(page), phone.next())
    await page.keyboard.press('Enter')
    await page.waitForURL('**/parcels*')

    await signOut(page)
    await enterPassword(page, api.url, 'careful', password)
    await pressOn(page, button(page, 'Назад'))
    await expect(page.getByLabel('Имя пользователя')).toHaveValue('careful')
    await page.getByRole('button', { name: 'Войти' }).press('Enter')
    await pressOn(page, button(page, 'Использовать код восстановления'))
    await expect(page.getByLabel('Код восстановления', { exact: true })).toBeFocused()
    await page.keyboard.type(first.toLowerCase())
    await page.keyboard.press('Enter')
    await page.waitForURL('**/parcels*')
    await page.goto(`${api.url}/profile`)
    await expect(card(page)).toContainText('Recovery codes left: 9')

    await pressOn(page, button(page, 'New recovery codes'))
    const renewing = dialog(page, 'New recovery codes')
    await typeInto(page, renewing.getByLabel('Current password'), password)
    await typeInto(page, renewing.getByLabel('Code of the app, or a recovery code'), recovery[1] ?? '')
    await page.keyboard.press('Enter')
    const newCodes = renewing.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await expect(newCodes).toHaveCount(10)
    const [last = ''] = await newCodes.allInnerTexts()
    await pressOn(page, button(page, 'Done'))
    await expect(card(page)).toContainText('Recovery codes left: 10')

    await pressOn(page, card(page).getByRole('button', { name: 'Turn off' }))
    const turnOffDialog = dialog(page, 'Turn off')
    await typeInto(page, turnOffDialog.getByLabel('Current password'), password)
    await typeInto(page, turnOffDialog.getByLabel('Code of the app, or a recovery code'), last)
    await page.keyboard.press('Enter')
    await expect(card(page).getByRole('status')).toHaveText('Off')
    await signOut(page)
    await signIn(page, api.url, 'careful', password)
  },
)

test(
  'an admin removes the second factor of a person who lost the app and the recovery codes',
  variants,
  async ({ page, api, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { password } = await api.newPerson('careless')
    await signIn(page, api.url, 'careless', password)
    await setUp(page, api.url, password)
    await page.evaluate(() => localStorage.clear())
    await enterPassword(page, api.url, 'careless', password)

    const product = await context.newPage()
    await openSignedIn(product, api, '/users?search=careless')
    await pressOn(product, product.locator('tr[data-key]').first())
    await pressOn(product, button(product, 'Turn off second factor'))
    const question = product.getByRole('alertdialog', { name: 'Turn off the second factor of careless?' })
    await expect(question).toBeVisible()
    await expectAccessibleLayout(product, 'taking a second factor off', [
      [360, 'dark'],
      [1440, 'light'],
    ])
    await pressOn(product, question.getByRole('button', { name: 'Turn off second factor' }))
    await expect(product.getByText('Second factor turned off.')).toBeVisible()
    await product.evaluate(() => localStorage.clear())
    await product.close()
    await signIn(page, api.url, 'careless', password)
  },
)
