import { dialogOf } from '../src/bare.ts'
import { importRows, newSource } from '../src/leads.ts'
import { askForWithdrawal, newEarner } from '../src/money.ts'
import { importParcels } from '../src/orders.ts'
import { signOutInOtherTab } from '../src/sign-out.ts'
import { expect, signIn, submitSignIn, test } from '../src/test.ts'

test.use({ expectedStatus: [401, 409] })

test('input of forms that belong to no resource is there again after a sign-out in another tab', async ({
  page,
  context,
  product,
  api,
}) => {
  await importRows(api, await newSource(api, 'Drafts'), [['DRAFT-1', 10, 'sold', 1, '', '']])
  await importParcels(api, ['DRAFT-1', 'NEW', 0, 'admin'])
  await askForWithdrawal(await newEarner(api, 'draft-earner', 1000), 500, '8600 1111')
  const row = page.locator('tr[data-key]')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const pages: { path: string; open: () => Promise<void>; fields: string[] }[] = [
    {
      path: '/leads?search=DRAFT-1',
      open: async () => {
        await row.getByRole('checkbox').check()
        await press('Change state')
      },
      fields: ['Comment'],
    },
    {
      path: '/settlements?search=draft-earner',
      open: async () => {
        await row.click()
        await press('Decline')
      },
      fields: ['Reason'],
    },
    {
      path: '/parcels?search=DRAFT-1',
      open: async () => {
        await press('Загрузка заказов')
        await row.click()
      },
      fields: ['Заметка', 'Комментарий'],
    },
  ]
  pages.push({ path: '/profile', open: async () => {}, fields: ['Name'] })
  const { username, password } = product.admin
  await signIn(page, product.url, username, password)
  for (const { path, open, fields } of pages)
    await test.step(path, async () => {
      await page.goto(product.url + path)
      await open()
      for (const field of fields)
        await page.getByRole('textbox', { name: field }).fill(`Half a sentence: ${field}`)
      await signOutInOtherTab(page, context)
      await expect(dialogOf(page)).toHaveCount(0)
      await submitSignIn(page, username, password)
      for (const field of fields)
        await expect(page.getByRole('textbox', { name: field })).toHaveValue(`Half a sentence: ${field}`)
      expect(await page.evaluate(() => location.pathname + location.search)).toContain(path)
    })

  await test.step('a link and the back button ask before they leave the input', async () => {
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    const link = page.getByRole('link', { name: 'Offers', exact: true })
    const expectStay = async () => {
      await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(question).toHaveCount(0)
      await expect(page).toHaveURL(/\/profile$/)
      await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Half a sentence: Name')
    }
    await link.press('Enter')
    await expectStay()
    await expect(link).toBeFocused()
    await page.evaluate(() => history.back())
    await expectStay()
    await link.press('Enter')
    await question.getByRole('button', { name: 'Leave' }).press('Enter')
    await expect(page).toHaveURL(/\/offers/)
    await expect(question).toHaveCount(0)
    await page.evaluate(() => history.back())
    await expect(page.getByRole('textbox', { name: 'Name' })).not.toHaveValue(/Half/)
  })
})

test('a restored form stays open when a person presses beside it, and shows that somebody changed its row', async ({
  page,
  context,
  product,
  api,
}) => {
  const role = { name: 'Of two', code: 'of-two', description: '', source_ids: [] }
  const { id } = await api.call<{ id: number }>('POST', '/api/admin/roles/', role)
  const { username, password } = product.admin
  await signIn(page, product.url, username, password)
  await page.goto(`${product.url}/users?tab=roles&search=of-two`)
  await page.locator('tr[data-key]').click()
  const name = dialogOf(page).getByLabel('Name', { exact: true })
  await name.fill('Of me')
  // The browser asks only after a real key.
  await page.keyboard.press('End')
  const question = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => location.reload()))
  expect((await question).type()).toBe('beforeunload')
  await (await question).dismiss()
  await expect(name).toHaveValue('Of me')
  await signOutInOtherTab(page, context)
  await api.call('PUT', `/api/admin/roles/${id}`, { ...role, name: 'Of the other' })

  await submitSignIn(page, username, password)
  await expect(name).toHaveValue('Of me')
  await page.mouse.click(5, 5)
  await expect(name).toHaveValue('Of me')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  const alert = dialogOf(page).getByRole('alert')
  await expect(alert).toContainText('Somebody changed this role meanwhile. Nothing was saved.')
  expect(await api.call('GET', `/api/admin/roles/${id}`)).toMatchObject({ name: 'Of the other' })
  await alert.getByRole('button', { name: 'Load the present values' }).click()
  await expect(name).toHaveValue('Of the other')
  await name.fill('Of both')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialogOf(page)).toHaveCount(0)
  expect(await api.call('GET', `/api/admin/roles/${id}`)).toMatchObject({ name: 'Of both' })
})

test('a question comes before a page with a typed password or a chosen file is left', async ({
  page,
  product,
}) => {
  const { username, password } = product.admin
  await signIn(page, product.url, username, password)
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const expectStay = async () => {
    const url = page.url()
    await page.evaluate(() => history.back())
    await expect(question).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(dialogOf(page)).toBeVisible()
    // The browser goes back to the page later than the question closes.
    await expect(page).toHaveURL(url)
  }
  await page.goto(`${product.url}/settlements`)
  await page.getByRole('tab', { name: 'Acts' }).click()
  await press('Import')
  await dialogOf(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'acts.csv', mimeType: 'text/csv', buffer: Buffer.from('act_number') })
  await expectStay()
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialogOf(page)).toHaveCount(0)
  await page.evaluate(() => history.back())
  await expect(page).toHaveURL(/\/settlements$/)

  await page.getByRole('tab', { name: 'Accounts' }).click()
  await expect(page).toHaveURL(/tab=accounts$/)
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await press('Sign out everywhere')
  await dialogOf(page).getByLabel('Current password').fill('secret')
  await expectStay()
  await page.evaluate(() => history.back())
  await expect(page).toHaveURL(/tab=accounts$/)
  await page.evaluate(() => history.back())
  await expect(page).toHaveURL(/\/settlements$/)
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(page).toHaveURL(/\/profile$/)
  await expect(dialogOf(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
  await press('Set up')
  await dialogOf(page).getByLabel('Current password').fill('secret')
  await expectStay()
  await page.evaluate(() => history.back())
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/tab=accounts$/)
})
