import { variants } from '../src/extent.ts'
import type { Page } from '@playwright/test'
import { test as bare } from '../src/bare.ts'
import { openSigned, pressOn, typeInto } from '../src/keyboard.ts'
import { expect, linkFor, test } from '../src/live.ts'
import { expectSound } from '../src/test.ts'

// The last journey's host has no settings call.
test.use({ expectedStatus: [401, 404, 409, 422] })

const looks = [
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

test.describe('registration', () => {
  test(
    'by keyboard, activation by an admin, and the first sign-in',
    variants,
    async ({ page, desk, api }) => {
      await page.goto(`${desk.url}/register`)
      await fillRegister(page, 'nodira', 'short')
      await expect(alert(page)).toHaveText('Пароль должен быть не короче 8 символов')
      await expectSound(page, 'a registration that is refused', looks)
      await fillRegister(page, 'nodira', 'nodira-parol')
      await expect(page.getByText('Registration successful! You can now log in.')).toBeVisible()
      await expect(
        page.getByText('Войти можно будет, когда администратор включит учётную запись.'),
      ).toBeVisible()
      await page.waitForURL('**/login')
      await fillLogin(page, desk.url, 'nodira', 'nodira-parol')
      await expect(alert(page)).toHaveText('Неверное имя пользователя или пароль')

      await openSigned(page, api, '/users?is_active=false')
      const row = page.getByRole('row').filter({ hasText: 'nodira' })
      await expect(row).toContainText('Waiting')
      await expectSound(page, 'an account that waits', looks)
      await page.setViewportSize({ width: 1440, height: 900 })
      await pressOn(page, row)
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('button', { name: 'Turn down' })).toBeVisible()
      await pressOn(page, dialog.getByRole('button', { name: 'Activate' }))
      await expect(dialog).toHaveCount(0)
      await expect(row).toHaveCount(0)

      await page.evaluate(() => localStorage.removeItem('emu_auth'))
      await fillLogin(page, desk.url, 'nodira', 'nodira-parol')
      await page.waitForURL('**/parcels*')
    },
  )

  test('under a name that is taken says so, and a turned down account waits no more', async ({
    page,
    desk,
    api,
  }) => {
    await page.goto(`${desk.url}/register`)
    await fillRegister(page, 'Admin', 'admin-parol')
    await expect(alert(page)).toHaveText(
      'Registration failed. Please try again. Значение поля «Username» уже занято.',
    )
    await fillRegister(page, 'unwanted', 'unwanted-parol')
    await expect(page.getByText('Registration successful! You can now log in.')).toBeVisible()
    await openSigned(page, api, '/users')
    const row = page.getByRole('row').filter({ hasText: 'unwanted' })
    await pressOn(page, row)
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Turn down' }))
    await expect(row).toContainText('Inactive')
    await expect(page.getByText('Waiting')).toHaveCount(0)
  })
})

test.describe('a password by mail', () => {
  test(
    'is asked for and set by keyboard, by a link that works once',
    variants,
    async ({ page, desk, api, smtp }) => {
      await api.newPerson('dilnoza')
      await page.goto(`${desk.url}/forgot-password`)
      for (const email of ['stranger@example.org', 'dilnoza@example.org']) {
        await typeInto(page, field(page, 'Email'), email)
        await page.keyboard.press('Enter')
        await expect(
          page.getByText('Password reset instructions have been sent to your email.'),
        ).toBeVisible()
      }
      const link = await linkFor(smtp, desk, 'dilnoza@example.org')
      expect(smtp.accepted.map(({ to }) => to[0])).toEqual(['dilnoza@example.org'])
      const asked: string[] = []
      page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))
      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'Новый пароль' })).toBeVisible()
      await expectSound(page, 'a new password', looks)
      const set = async (password: string, repeated: string) => {
        await typeInto(page, field(page, 'Новый пароль'), password)
        await typeInto(page, field(page, 'Подтвердите пароль'), repeated)
        await page.keyboard.press('Enter')
      }
      await set('short', 'short')
      await expect(alert(page)).toHaveText('Пароль должен быть не короче 8 символов')
      await set('dilnoza-novyy', 'dilnoza-drugoy')
      await expect(alert(page)).toHaveText('Passwords do not match')
      await set('dilnoza-novyy', 'dilnoza-novyy')
      await expect(page.getByText('Пароль изменён. Теперь можно войти.')).toBeVisible()
      await page.waitForURL('**/login')
      // The token was sent in the one call that takes it, and stands in no address that anybody sees.
      const token = link.split('token=')[1] ?? ''
      expect(token.length).toBeGreaterThan(40)
      expect(asked.filter((each) => each.includes(token))).toEqual([])
      await fillLogin(page, desk.url, 'dilnoza', 'dilnoza-novyy')
      await page.waitForURL('**/parcels*')

      await page.goto(link)
      await set('dilnoza-eshche', 'dilnoza-eshche')
      await expect(alert(page)).toHaveText('Ссылка недействительна или устарела. Запросите новую.')
    },
  )

  test('without a link says what to do', async ({ page, desk }) => {
    await page.goto(`${desk.url}/reset-password`)
    await expect(alert(page)).toHaveText('Ссылка недействительна или устарела. Запросите новую.')
    await pressOn(page, page.getByRole('link', { name: 'Запросить новую ссылку' }))
    await expect(page).toHaveURL(/\/forgot-password$/)
  })
})

test(
  'bulk Activate and Deactivate do so for each, and name whom they could not switch',
  variants,
  async ({ page, api }) => {
    for (const name of ['aziz', 'botir', 'charos']) await api.newPerson(name)
    await openSigned(page, api, '/users')
    const row = (name: string) => page.getByRole('row').filter({ hasText: `Name of ${name}` })
    const bulk = (name: string) => page.getByRole('button', { name, exact: true })
    await pressOn(page, page.getByRole('checkbox', { name: 'Select all rows' }), 'Space')
    await pressOn(page, bulk('Deactivate'))
    const dialog = page.getByRole('alertdialog')
    // For five seconds.
    await expect(page.getByText(/Users deactivated: \d/)).toBeVisible()
    await expect(dialog).toContainText(/Not deactivated: 1 of \d/)
    await expect(dialog).toContainText('admin: The last active administrator must stay one.')
    await expectSound(page, 'who could not be switched', looks)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    for (const name of ['aziz', 'botir', 'charos']) await expect(row(name)).toContainText('Inactive')
    await pressOn(page, bulk('Activate'))
    await expect(page.getByText(/Users activated: \d/)).toBeVisible()
    for (const name of ['aziz', 'botir', 'charos']) await expect(row(name)).not.toContainText('Inactive')
  },
)

test('a bulk action can be stopped half-way, and says who was left', async ({ page, api }) => {
  for (const name of ['doniyor', 'eldor']) await api.newPerson(name)
  await openSigned(page, api, '/users')
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
  await expect(page.getByText(/Stopped\. Left as they were: \d/)).toBeVisible()
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
