import { variants } from '../src/extent.ts'
import { expect, holdAnswers, test } from '../src/bare.ts'
import { presetLanguage, waitUntilDrawn } from '../src/languages.ts'
import { expectAccessibleLayout } from '../src/test.ts'

test('the language chosen in the profile menu stays after a reload and a sign-out', async ({
  page,
  open,
}) => {
  await open('/users', 'admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  const choices = page.getByRole('group', { name: 'Language' }).getByRole('menuitemradio')
  await expect(choices).toHaveText(['Русский + English', 'Русский', 'O‘zbekcha', 'English'])
  await expect(choices.first()).toBeChecked()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(choices.nth(2)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Foydalanuvchilar' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/users')

  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Foydalanuvchilar' })).toBeVisible()
  await page.getByRole('button', { name: /profil va chiqish/ }).click()
  await expect(page.getByRole('menuitemradio', { name: 'O‘zbekcha' })).toBeChecked()
  await page.getByRole('menuitem', { name: 'Chiqish' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Kirish' })).toBeVisible()
})

test('a change of the language asks first while a file is uploaded', async ({ page, open }) => {
  const release = await holdAnswers(page, '/api/parcel/files/upload/')
  await open('/parcels', 'admin')
  await page.getByRole('button', { name: 'Загрузка заказов' }).click()
  const file = { name: 'Заказы.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Загрузить', exact: true }).click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  await page.getByRole('menuitemradio', { name: 'English', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: /^A task is in progress\./ })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await release()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  await page.getByRole('menuitemradio', { name: 'English', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test.describe('Without a connection', () => {
  test.use({ expectedText: ['net::ERR_INTERNET_DISCONNECTED'] })

  test('a change of the language without a connection says so and changes nothing', async ({
    page,
    context,
    open,
  }) => {
    await open('/users', 'admin')
    await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
    await context.setOffline(true)
    await page.getByRole('button', { name: /profile and sign out/ }).click()
    await page.getByRole('menuitemradio', { name: 'English', exact: true }).click()
    await expect(page.getByRole('alertdialog', { name: 'The server cannot be reached.' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('language'))).toBeNull()
    await context.setOffline(false)
    await page.evaluate(() => localStorage.removeItem('emu_auth'))
    await open('/login')
    await context.setOffline(true)
    const picker = page.getByLabel('Язык')
    await picker.selectOption('English')
    await expect(picker).toHaveValue('')
    expect(await picker.evaluate((select: HTMLSelectElement) => select.validationMessage)).toBe(
      'The server cannot be reached.',
    )
  })
})

test('the sign-in screen changes the language, and back to the specified mix', async ({ page, open }) => {
  await open('/login')
  await expect(page.getByRole('button', { name: 'Войти' })).toBeVisible()
  await page.getByLabel('Язык').selectOption('English')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.getByLabel('Language').selectOption('Русский + English')
  await expect(page.getByRole('button', { name: 'Войти' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Forgot Password' })).toBeVisible()
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('language'))),
  ).toEqual([])
})

test('a page in a chosen language never shows the specified mix first', async ({ page, open }) => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.body?.textContent?.includes('Войти')) document.documentElement.dataset['flashed'] = 'yes'
    }).observe(document, { childList: true, subtree: true })
  })
  await presetLanguage(page, 'en')
  await open('/login')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-flashed')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-flashed')
})

test('numbers, days and the calendar are in the chosen language', async ({ page, open }) => {
  await presetLanguage(page, 'en')
  await open('/components-demo', 'admin')
  const price = page.getByLabel('Price').first()
  await expect(price).toHaveValue('1,290,000.5')
  await price.focus()
  await price.fill('1,234.5')
  await price.blur()
  await expect(price).toHaveValue('1,234.5')
  await page.getByRole('button', { name: /^Period with bounds/ }).click()
  await expect(page.getByLabel('From date')).toHaveValue('03/11/2026')
  await expect(page.getByRole('grid', { name: 'November 2026' })).toBeVisible()
})

test('the finder finds an Uzbek page with any kind of apostrophe', async ({ page, open }) => {
  await presetLanguage(page, 'uz')
  await open('/parcels?period=any', 'admin')
  await waitUntilDrawn(page)
  await page.keyboard.press('Control+k')
  const finder = page.getByRole('dialog').getByRole('combobox')
  const option = (name: RegExp) => page.getByRole('dialog').getByRole('option', { name })
  for (const text of ["jo'natma", 'JOʻNATMA', 'jo`natma']) {
    await finder.fill(text)
    await expect(option(/^Statuslar/), text).toBeHidden()
    await expect(option(/^Jo‘natmalar/), text).toBeVisible()
    await finder.fill('')
    await expect(option(/^Statuslar/)).toBeVisible()
  }
})

test('the longer Uzbek texts fit a phone, and axe finds no fault', variants, async ({ page, open }) => {
  test.setTimeout(300_000)
  await presetLanguage(page, 'uz')
  await open('/login')
  await waitUntilDrawn(page)
  await expectAccessibleLayout(page, '/login', [
    [360, 'light'],
    [1440, 'dark'],
  ])
  await open('/parcels?period=any', 'admin')
  await waitUntilDrawn(page)
  await page.getByRole('button', { name: /profil va chiqish/ }).click()
  await expectAccessibleLayout(page, '/parcels with its menu', [
    [360, 'light'],
    [1440, 'dark'],
  ])
})
