import { variants } from '../src/extent.ts'
import type { Page } from '@playwright/test'
import { test as bare } from '../src/bare.ts'
import { openSignedIn, pressOn, typeInto } from '../src/keyboard.ts'
import { expect, waitForLink, test } from '../src/live.ts'
import { expectAccessibleLayout } from '../src/test.ts'

// The host of the last test has no settings call.
test.use({ contextOptions: { reducedMotion: 'no-preference' }, expectedStatus: [401, 404, 409, 422] })

const appearances = [
  [1440, 'light'],
  [360, 'dark'],
] as const
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const alert = (page: Page) => page.getByRole('main').getByRole('alert')

async function fillLogin(page: Page, url: string, username: string, password: string) {
  await page.goto(`${url}/login`)
  await typeInto(page, field(page, 'Имя пользователя'), username)
  await typeInto(page, field(page, 'Пароль'), password)
  await page.keyboard.press('Enter')
}

async function fillRegister(page: Page, username: string, password: string) {
  await typeInto(page, field(page, 'Имя пользователя'), username)
  await typeInto(page, field(page, 'Email'), `${username}@example.org`)
  await typeInto(page, field(page, 'Пароль'), password)
  await typeInto(page, field(page, 'Подтвердите пароль'), password)
  await page.keyboard.press('Enter')
}

test.describe('Registration', () => {
  test(
    'a person registers by keyboard, an admin activates the account, and the person signs in',
    variants,
    async ({ page, product, api }) => {
      await page.goto(`${product.url}/register`)
      await fillRegister(page, 'nodira', 'short')
      await expect(alert(page)).toHaveText('Пароль должен быть не короче 8 символов')
      await expectAccessibleLayout(page, 'a registration that is refused', appearances)
      await fillRegister(page, 'nodira', 'nodira-parol')
      await expect(page.getByText('Registration successful! You can now log in.')).toBeVisible()
      await expect(
        page.getByText('Войти можно будет, когда администратор включит учётную запись.'),
      ).toBeVisible()
      await page.waitForURL('**/login')
      await fillLogin(page, product.url, 'nodira', 'nodira-parol')
      await expect(alert(page)).toHaveText('Неверное имя пользователя или пароль')

      await openSignedIn(page, api, '/users?is_active=false')
      const row = page.getByRole('row').filter({ hasText: 'nodira' })
      await expect(row).toContainText('Waiting')
      await expectAccessibleLayout(page, 'an account that waits', appearances)
      await page.setViewportSize({ width: 1440, height: 900 })
      await pressOn(page, row)
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('button', { name: 'Reject' })).toBeVisible()
      await pressOn(page, dialog.getByRole('button', { name: 'Activate' }))
      await expect(dialog).toHaveCount(0)
      await expect(row).toHaveCount(0)

      await page.evaluate(() => localStorage.removeItem('emu_auth'))
      await fillLogin(page, product.url, 'nodira', 'nodira-parol')
      await page.waitForURL('**/parcels*')
    },
  )

  test('a registration with a used name shows so, and a rejected account leaves the waiting list', async ({
    page,
    product,
    api,
  }) => {
    await page.goto(`${product.url}/register`)
    await fillRegister(page, 'Admin', 'admin-parol')
    await expect(alert(page)).toHaveText(
      'Registration failed. Please try again. Значение поля «Имя пользователя» уже занято.',
    )
    await fillRegister(page, 'unwanted', 'unwanted-parol')
    await expect(page.getByText('Registration successful! You can now log in.')).toBeVisible()
    await openSignedIn(page, api, '/users')
    const row = page.getByRole('row').filter({ hasText: 'unwanted' })
    await pressOn(page, row)
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Reject' }))
    await expect(row).toContainText('Inactive')
    await expect(page.getByText('Waiting')).toHaveCount(0)
  })
})

test.describe('Password reset by mail', () => {
  test(
    'a password is reset by keyboard with a mailed link that works once',
    variants,
    async ({ page, product, api, smtp }) => {
      await api.newPerson('dilnoza')
      await page.goto(`${product.url}/forgot-password`)
      for (const email of ['stranger@example.org', 'dilnoza@example.org']) {
        await typeInto(page, field(page, 'Email'), email)
        await page.keyboard.press('Enter')
        await expect(
          page.getByText('Password reset instructions have been sent to your email.'),
        ).toBeVisible()
      }
      const link = await waitForLink(smtp, product, 'dilnoza@example.org')
      expect(smtp.accepted.map(({ to }) => to[0])).toEqual(['dilnoza@example.org'])
      const urls: string[] = []
      page.on('request', (request) => urls.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))
      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'Новый пароль' })).toBeVisible()
      await expectAccessibleLayout(page, 'a new password', appearances)
      const submitPassword = async (password: string, repetition: string) => {
        await typeInto(page, field(page, 'Новый пароль'), password)
        await typeInto(page, field(page, 'Подтвердите пароль'), repetition)
        await page.keyboard.press('Enter')
      }
      await submitPassword('short', 'short')
      await expect(alert(page)).toHaveText('Пароль должен быть не короче 8 символов')
      await submitPassword('dilnoza-novyy', 'dilnoza-drugoy')
      await expect(alert(page)).toHaveText('Passwords do not match')
      await submitPassword('dilnoza-novyy', 'dilnoza-novyy')
      await expect(page.getByText('Пароль изменён. Теперь можно войти.')).toBeVisible()
      await page.waitForURL('**/login')
      // The token was sent in one call and is in no visible address.
      const token = link.split('token=')[1] ?? ''
      expect(token.length).toBeGreaterThan(40)
      expect(urls.filter((url) => url.includes(token))).toEqual([])
      await fillLogin(page, product.url, 'dilnoza', 'dilnoza-novyy')
      await page.waitForURL('**/parcels*')

      await page.goto(link)
      await submitPassword('dilnoza-eshche', 'dilnoza-eshche')
      await expect(alert(page)).toHaveText('Ссылка недействительна или устарела. Запросите новую.')
    },
  )

  test('the reset screen without a link explains how to request one', async ({ page, product }) => {
    await page.goto(`${product.url}/reset-password`)
    await expect(alert(page)).toHaveText('Ссылка недействительна или устарела. Запросите новую.')
    await pressOn(page, page.getByRole('link', { name: 'Запросить новую ссылку' }))
    await expect(page).toHaveURL(/\/forgot-password$/)
  })
})

test(
  'bulk Activate and Deactivate change each user and name those that they could not change',
  variants,
  async ({ page, api }) => {
    for (const name of ['aziz', 'botir', 'charos']) await api.newPerson(name)
    await openSignedIn(page, api, '/users')
    const row = (name: string) => page.getByRole('row').filter({ hasText: `Name of ${name}` })
    const bulk = (name: string) => page.getByRole('button', { name, exact: true })
    await pressOn(page, page.getByRole('checkbox', { name: 'Select all rows' }), 'Space')
    await pressOn(page, bulk('Deactivate'))
    const dialog = page.getByRole('alertdialog')
    // For five seconds.
    await expect(page.getByText(/Users deactivated: \d/)).toBeVisible()
    await expect(dialog).toContainText(/Not deactivated: 1 of \d/)
    await expect(dialog).toContainText('admin: The last active administrator must remain an administrator.')
    await expectAccessibleLayout(page, 'who could not be switched', appearances)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    for (const name of ['aziz', 'botir', 'charos']) await expect(row(name)).toContainText('Inactive')
    await pressOn(page, bulk('Activate'))
    await expect(page.getByText(/Users activated: \d/)).toBeVisible()
    for (const name of ['aziz', 'botir', 'charos']) await expect(row(name)).not.toContainText('Inactive')
  },
)

test('a bulk action can be stopped, and it names the users that it did not change', async ({ page, api }) => {
  for (const name of ['doniyor', 'eldor']) await api.newPerson(name)
  await openSignedIn(page, api, '/users')
  const first = Promise.withResolvers<void>()
  await page.route('**/activate', async (route) => {
    await first.promise
    await route.fallback()
  })
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await expect(page.getByRole('progressbar', { name: 'Activating users' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Activate', exact: true })).toBeDisabled()
  await pressOn(page, page.getByRole('button', { name: 'Stop' }))
  first.resolve()
  await expect(page.getByText(/Stopped\. Not changed: \d/)).toBeVisible()
})

bare(
  'where passwords are not reset by mail, the page of the link is a path like any other',
  async ({ page, open }) => {
    await open('/reset-password#token=x')
    await expect(page).toHaveURL(/\/login/)
    await open('/reset-password#token=x', 'buyer')
    await expect(page).toHaveURL(/\/parcels/)
  },
)
