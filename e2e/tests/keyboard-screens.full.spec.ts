import { announceFeatures, expect, storeSession, createSession, test } from '../src/bare.ts'
import { chooseIn, pressOn, tabTo, typeInto } from '../src/keyboard.ts'

// No test in this file presses a mouse button.

test('the sign-in works by keyboard: empty fields refused, password shown, theme changed, signed in', async ({
  page,
  open,
}) => {
  await open('/login')
  await pressOn(page, page.getByRole('button', { name: 'Войти' }))
  await expect(page.getByRole('alert')).toHaveText('Введите имя пользователя и пароль')
  await typeInto(page, page.getByLabel('Имя пользователя'), 'admin')
  const password = page.getByLabel('Пароль', { exact: true })
  await typeInto(page, password, 'secret')
  await pressOn(page, page.getByRole('button', { name: 'Показать символы' }), ' ')
  await expect(password).toHaveAttribute('type', 'text')
  const theme = page.locator('html')
  const before = (await theme.getAttribute('data-theme')) ?? ''
  await pressOn(page, page.getByRole('button', { name: /^Switch to / }), ' ')
  await expect(theme).not.toHaveAttribute('data-theme', before)
  await tabTo(page, password, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/parcels/)
})

test('the registration works by keyboard: from its link to the form and back to the sign-in', async ({
  page,
  open,
}) => {
  await open('/login')
  await pressOn(page, page.getByRole('link', { name: 'Register' }))
  await expect(page).toHaveURL(/register/)
  // The address changes before the page, and both pages have these fields.
  await expect(page.getByRole('heading', { name: 'Регистрация' })).toBeVisible()
  await typeInto(page, page.getByLabel('Имя пользователя'), 'aziz')
  await typeInto(page, page.getByLabel('Email'), 'aziz@example.org')
  await typeInto(page, page.getByLabel('Пароль', { exact: true }), 'a-long-password')
  await typeInto(page, page.getByLabel('Подтвердите пароль'), 'another')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await typeInto(page, page.getByLabel('Подтвердите пароль'), 'a-long-password')
  await pressOn(page, page.getByRole('button', { name: 'Зарегистрироваться' }))
  await expect(page.getByText('Registration successful! You can now log in.')).toBeVisible()
  await expect(page).toHaveURL(/login/)
})

test('the password reset works by keyboard: from its link to the form and back by a link', async ({
  page,
  open,
}) => {
  await open('/login')
  await pressOn(page, page.getByRole('link', { name: 'Forgot Password' }))
  await typeInto(page, page.getByLabel('Email'), 'aziz@example.org')
  await pressOn(page, page.getByRole('button', { name: 'Отправить инструкции' }))
  await expect(page.getByText('Password reset instructions have been sent to your email.')).toBeVisible()
  await pressOn(page, page.getByRole('link', { name: 'Login' }))
  await expect(page).toHaveURL(/login/)
})

test.describe('Components by keyboard', () => {
  test.beforeEach(({ open }) => open('/components-demo', 'admin'))

  test('buttons, menu, table, chips and pages of the components page work by keyboard', async ({ page }) => {
    const part = page.getByRole('region', { name: 'Buttons, menu and icons' })
    const menu = part.getByRole('button', { name: 'Profile' })
    await pressOn(page, menu, 'ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeFocused()
    await page.keyboard.press('End')
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(menu).toBeFocused()

    const table = page.getByRole('region', { name: 'Table, search and pagination' })
    await typeInto(page, table.getByRole('searchbox'), 'EX')
    const state = table.getByRole('radio', { name: 'rows' })
    await tabTo(page, state)
    await page.keyboard.press('ArrowRight')
    await expect(table.getByRole('radio', { name: 'loading' })).toBeChecked()
    await page.keyboard.press('ArrowLeft')
    await expect(state).toBeChecked()
    const chip = table.getByRole('group', { name: 'Статус' }).getByRole('button', { name: /^В пути/ })
    await pressOn(page, chip, ' ')
    await expect(chip).toHaveAttribute('aria-pressed', 'true')
    const head = table.getByRole('columnheader').getByRole('button').first()
    await pressOn(page, head)
    await pressOn(page, table.locator('tr[data-key]').first().getByRole('checkbox'), ' ')
    await expect(table.getByText('1 selected')).toBeVisible()
    await tabTo(page, table.getByRole('button', { name: 'Activate' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Activate')
    await pressOn(page, table.getByLabel('Записей на странице'), 'ArrowDown')
  })

  test('the fields of the components page work by keyboard: text, selects, period, checkboxes and radio', async ({
    page,
  }) => {
    const part = page.getByRole('region', { name: 'Fields', exact: true })
    await part.getByLabel('Name', { exact: true }).focus()
    await typeInto(page, part.getByLabel('Name', { exact: true }), 'Lamp')
    await typeInto(page, part.getByLabel('Price', { exact: true }), '12,5')
    await chooseIn(page, part.getByRole('combobox', { name: 'Source', exact: true }))
    const sourcesBox = part.getByRole('combobox', { name: 'Sources', exact: true })
    await pressOn(page, sourcesBox, 'ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await expect(sourcesBox).toBeFocused()
    const period = part.getByRole('button', { name: /^Период(?! с)/ })
    await pressOn(page, period)
    const calendar = page.getByRole('dialog')
    await expect(calendar.getByLabel('Дата с')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(calendar).toHaveCount(0)
    await expect(period).toBeFocused()
    const active = part.getByRole('checkbox', { name: 'Active', exact: true })
    const wasChecked = await active.isChecked()
    await pressOn(page, active, ' ')
    await expect(active).toBeChecked({ checked: !wasChecked })
    const radios = part.getByRole('group', { name: 'Connector' }).getByRole('radio')
    await active.press('Tab')
    await tabTo(page, part.getByRole('radio', { checked: true }).or(radios.first()).first())
    await page.keyboard.press('ArrowDown')
    await expect(part.getByRole('radio', { checked: true })).toBeFocused()
    await typeInto(page, part.getByLabel('Comment'), 'A note')
    await tabTo(page, part.locator('input[type=file]'))
  })

  test('a modal, a form, an alert and a question open and close by keyboard and return the focus', async ({
    page,
  }) => {
    const part = page.getByRole('region', { name: 'Modals, dialogs and toasts' })
    const dialog = page.getByRole('dialog')
    const button = (name: string) => part.getByRole('button', { name, exact: true })
    await button('New offer').focus()
    for (const name of ['New offer', 'Edit offer', 'Open modal']) {
      await pressOn(page, button(name))
      await expect(dialog).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(button(name)).toBeFocused()
    }
    const alert = page.getByRole('alertdialog')
    for (const name of ['Alert', 'Confirm']) {
      await pressOn(page, button(name))
      await expect(alert.getByRole('button').first()).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(alert).toHaveCount(0)
      await expect(button(name)).toBeFocused()
    }
    await pressOn(page, button('Work toast'))
    const toasts = page.getByRole('region', { name: 'Notifications' })
    await pressOn(page, toasts.getByRole('button', { name: 'Cancel' }))
    await expect(toasts.getByRole('progressbar')).toHaveCount(0)
  })

  test('the arrow keys move through the tabs of the components page', async ({ page }) => {
    const part = page.getByRole('region', { name: 'Badges, figures, tabs and cards' })
    await part.getByRole('tab', { name: 'Daily' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(part.getByRole('tab', { name: 'Offers' })).toBeFocused()
    await expect(part.getByRole('tabpanel')).toContainText('offers')
  })
})

test.describe('Exports by keyboard', () => {
  test('an export is started, cancelled and started again by keyboard', async ({ page, bare }) => {
    await announceFeatures(page, 'exports')
    await storeSession(page, createSession('admin'))
    await page.goto(`${bare.url}/streams`)
    const gate = Promise.withResolvers<void>()
    await page.route(
      (url) => url.searchParams.has('format'),
      async (route) => {
        await gate.promise
        await route.abort()
      },
    )
    const button = page.getByRole('main').getByRole('button', { name: 'Export' })
    await pressOn(page, button)
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Excel' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(button).toBeFocused()
    const toasts = page.getByRole('region', { name: 'Notifications' })
    await pressOn(page, toasts.getByRole('button', { name: 'Cancel' }))
    await expect(toasts.getByRole('progressbar')).toHaveCount(0)
    gate.resolve()
  })
})
