import type { Page } from '@playwright/test'
import {
  mockAnswer,
  expect,
  holdAnswers,
  createSession,
  stopClock,
  readStoredSession,
  test,
} from '../src/bare.ts'

test.use({ expectedStatus: [401, 404, 422, 500] })

const alert = (page: Page) => page.getByRole('alert')
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

async function fillLogin(page: Page, username: string, password: string) {
  await field(page, 'Имя пользователя').fill(username)
  await field(page, 'Пароль').fill(password)
}

async function fillRegister(page: Page, password: string, confirmation: string) {
  await field(page, 'Имя пользователя').fill('aziz')
  await field(page, 'Email').fill('aziz@example.org')
  await field(page, 'Пароль').fill(password)
  await field(page, 'Подтвердите пароль').fill(confirmation)
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
}

const sessionPaths = [
  '/parcels',
  '/users',
  '/settings/cpa-websites',
  '/settings/statuses',
  '/offers',
  '/streams',
  '/statistics',
  '/components-demo',
]

test('without a session every screen, the root and unknown paths lead to /login', async ({ page, open }) => {
  for (const path of [...sessionPaths, '/', '/dashboard', '/no/such/page']) {
    await open(path)
    await expect(page, path).toHaveURL(/\/login$/)
  }
  for (const path of ['/login', '/register', '/forgot-password']) {
    await open(path)
    await expect(page, path).toHaveURL(new RegExp(`${path}$`))
  }
})

test('with a session the guest screens, the root, /dashboard and unknown paths lead to /parcels', async ({
  page,
  open,
}) => {
  for (const path of ['/login', '/register', '/forgot-password', '/', '/dashboard', '/no/such/page']) {
    await open(path, 'buyer')
    await expect(page, path).toHaveURL(/\/parcels$/)
  }
})

test('a screen needs a session and no particular role', async ({ page, open }) => {
  for (const path of sessionPaths) {
    await open(path, 'buyer')
    await expect(page, path).toHaveURL(new RegExp(`${path}$`))
    await expect(page.getByRole('main')).toBeVisible()
  }
})

test.describe('Sign-in', () => {
  test.beforeEach(({ open }) => open('/login'))

  test('the sign-in screen has logo, title, theme toggle and the links Login, Register, Forgot Password', async ({
    page,
  }) => {
    const logo = page.getByText('Karvon Express').filter({ visible: true })
    await expect(logo).toHaveCount(1)
    await page.setViewportSize({ width: 360, height: 800 })
    await expect(logo).toHaveCount(1)
    await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible()
    const links = page.getByRole('main').getByRole('link')
    await expect(links).toHaveText(['Login', 'Register', 'Forgot Password'])
    for (const [link, path, title] of [
      [1, /\/register$/, 'Регистрация'],
      [2, /\/forgot-password$/, 'Сброс пароля'],
      [0, /\/login$/, 'Вход'],
    ] as const) {
      await links.nth(link).click()
      await expect(page).toHaveURL(path)
      // The address changes before the page.
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
    }
  })

  test("the sign-in button reads 'Войти', and 'Вход...' while loading; success leads by /dashboard to /parcels", async ({
    page,
  }) => {
    const release = await holdAnswers(page, '/parcel/auth/login')
    const paths: string[] = []
    page.on('framenavigated', (frame) => paths.push(new URL(frame.url()).pathname))
    await fillLogin(page, 'admin', 'secret')
    await page.getByRole('button', { name: 'Войти' }).click()
    const loading = page.getByRole('button', { name: 'Вход...' })
    await expect(loading).toBeDisabled()
    await release()
    await expect(page).toHaveURL(/\/parcels$/)
    expect(await readStoredSession(page)).toEqual(createSession('admin'))
  })

  test('the sign-in clears its error at the start of each submit', async ({ page }) => {
    await mockAnswer(page, '/parcel/auth/login', { status: 401, body: { detail: 'no' } })
    await fillLogin(page, 'admin', 'wrong')
    await page.getByRole('button', { name: 'Войти' }).click()
    await expect(alert(page)).toHaveText('Неверное имя пользователя или пароль')
    const release = await holdAnswers(page, '/parcel/auth/login')
    await page.getByRole('button', { name: 'Войти' }).click()
    await expect(page.getByRole('button', { name: 'Вход...' })).toBeVisible()
    await expect(alert(page)).toBeEmpty()
    await release()
  })

  test('the sign-in button keeps the focus when the sign-in fails', async ({ page }) => {
    await mockAnswer(page, '/parcel/auth/login', { status: 401, body: { detail: 'no' } })
    await fillLogin(page, 'admin', 'wrong')
    const button = page.getByRole('button', { name: 'Войти' })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(alert(page)).not.toBeEmpty()
    await expect(button).toBeFocused()
  })

  const failures = [
    {
      title: "a sign-in that gets 401 shows 'Неверное имя пользователя или пароль'",
      status: 401,
      body: { detail: 'x' },
      text: 'Неверное имя пользователя или пароль',
    },
    {
      title: 'a sign-in that gets a detail shows it unchanged',
      status: 422,
      body: { detail: 'Account is locked' },
      text: 'Account is locked',
    },
    {
      title: 'a sign-in that fails without a detail shows the error message',
      status: 500,
      body: {},
      text: 'Запрос не выполнен, код 500',
    },
    {
      title: "a sign-in answer without access_token shows 'Неверный ответ от сервера'",
      status: 200,
      body: { id: 1 },
      text: 'Неверный ответ от сервера',
    },
  ]
  for (const { title, status, body, text } of failures) {
    test(title, async ({ page }) => {
      await mockAnswer(page, '/parcel/auth/login', { status, body })
      await fillLogin(page, 'admin', 'wrong')
      await page.getByRole('button', { name: 'Войти' }).click()
      await expect(alert(page)).toHaveText(text)
      await expect(page).toHaveURL(/\/login$/)
      await expect(page.getByRole('button', { name: 'Войти' })).toBeEnabled()
      expect(await readStoredSession(page)).toBeNull()
    })
  }

  test("a sign-in with an empty field shows 'Введите имя пользователя и пароль' and sends nothing", async ({
    page,
    bare,
  }) => {
    const before = bare.calls.length
    for (const [username, password] of [
      ['', ''],
      ['admin', ''],
      ['', 'secret'],
    ] as const) {
      await fillLogin(page, username, password)
      await page.getByRole('button', { name: 'Войти' }).click()
      await expect(alert(page)).toHaveText('Введите имя пользователя и пароль')
    }
    await expect(field(page, 'Имя пользователя')).toHaveAttribute('required')
    await expect(field(page, 'Пароль')).toHaveAttribute('required')
    expect(bare.calls.slice(before).filter(({ path }) => path.endsWith('/login'))).toEqual([])
  })
})

test.describe('Registration and password reset', () => {
  test("a registration with unequal passwords shows 'Passwords do not match'", async ({ page, open }) => {
    await open('/register')
    for (const name of ['username', 'email', 'password', 'confirmPassword']) {
      await expect(page.locator(`input[name=${name}]`)).toHaveAttribute('required')
    }
    await fillRegister(page, 'one-password', 'another')
    await expect(alert(page)).toHaveText('Passwords do not match')
    await expect(page).toHaveURL(/\/register$/)
  })

  test('a registration takes 1500 ms without a call, shows success, and goes to /login after 2000 ms', async ({
    page,
    open,
    bare,
  }) => {
    await page.clock.install()
    await open('/register')
    await expect(page.getByRole('heading', { name: 'Регистрация' })).toBeVisible()
    const before = bare.calls.length
    await stopClock(page)
    await fillRegister(page, 'one-password', 'one-password')
    const doneText = page.getByText('Registration successful! You can now log in.')
    await expect(page.getByRole('button', { name: 'Loading...' })).toBeDisabled()
    await page.clock.runFor(1490)
    await expect(doneText).toBeHidden()
    await page.clock.runFor(10)
    await expect(doneText).toBeVisible()
    await page.clock.runFor(1990)
    await expect(page).toHaveURL(/\/register$/)
    await page.clock.runFor(10)
    await page.clock.resume()
    await expect(page).toHaveURL(/\/login$/)
    expect(bare.calls.slice(before)).toEqual([])
  })

  test('the reset screen has a subtitle, and the sign-in screen has none', async ({ page, open }) => {
    const subtitle = page.locator('h1 + p')
    await open('/forgot-password')
    await expect(subtitle).toHaveText('Введите email, и мы пришлём инструкции.')
    await open('/login')
    await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible()
    await expect(subtitle).toHaveCount(0)
  })

  test('a password reset takes 1000 ms without a call and shows success', async ({ page, open, bare }) => {
    await page.clock.install()
    await open('/forgot-password')
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(1)
    const before = bare.calls.length
    await stopClock(page)
    await field(page, 'Email').fill('aziz@example.org')
    await page.getByRole('button', { name: 'Отправить инструкции' }).click()
    const doneText = page.getByText('Password reset instructions have been sent to your email.')
    await page.clock.runFor(990)
    await expect(doneText).toBeHidden()
    await page.clock.runFor(10)
    await expect(doneText).toBeVisible()
    expect(bare.calls.slice(before)).toEqual([])
  })
})

test.describe('Registration and password reset that fail', () => {
  // The simulated registration makes no call that could fail. A clock that throws makes it fail.
  test.beforeEach(({ page }) =>
    page.addInitScript(() => {
      const real = window.setTimeout.bind(window)
      window.setTimeout = ((act: () => void, ms?: number) => {
        if (ms === 1500 || ms === 1000) throw new Error('refused')
        return real(act, ms)
      }) as typeof window.setTimeout
    }),
  )

  test("a registration that fails shows 'Registration failed. Please try again.'", async ({ page, open }) => {
    await open('/register')
    await fillRegister(page, 'one-password', 'one-password')
    await expect(alert(page)).toHaveText('Registration failed. Please try again.')
    await expect(page).toHaveURL(/\/register$/)
  })

  test("a password reset that fails shows 'Failed to send reset instructions. Please try again.'", async ({
    page,
    open,
  }) => {
    await open('/forgot-password')
    await field(page, 'Email').fill('aziz@example.org')
    await page.getByRole('button', { name: 'Отправить инструкции' }).click()
    await expect(alert(page)).toHaveText('Failed to send reset instructions. Please try again.')
  })
})
