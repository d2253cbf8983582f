import type { Page } from '@playwright/test'
import { Api } from '../src/api.ts'
import { variants } from '../src/extent.ts'
import { chooseIn, openSignedIn, pressOn, tabTo, typeInto } from '../src/keyboard.ts'
import { allAppearances, expect, expectAccessibleLayout, test } from '../src/test.ts'

const rows = (page: Page) => page.locator('tr[data-key]')
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** An act with one line. No parcel has the order number, so the line has a difference. */
const createFile = (number: string, orderno: string) =>
  `act_number;act_date;orderno;collected;delivery_fee\n${number};2026-11-02;${orderno};100000;20000\n`

/** A delivered parcel of the person `own-shop`. */
const parcelFile =
  'orderno;date;status;event_time;owner\nOWN-1;2026-11-01;DELIVERED;2026-11-01T10:00:00+05:00;own-shop\n'

/** Creates a person with a courier account. The account is not fetched. */
async function newShop(api: Api, username: string) {
  const { id: user_id, password } = await api.newPerson(username)
  const { id } = await api.call<{ id: number }>('POST', '/api/admin/courier-accounts/', {
    name: `Courier of ${username}`,
    url: 'https://courier.invalid/api/',
    extra: '8',
    login: username,
    pass: 'secret',
    user_id,
    is_active: false,
  })
  return { accountId: id, password }
}

test(
  'an admin imports an act, goes from it to its differences, resolves one with a reason, and voids the act',
  variants,
  async ({ page, api }) => {
    await newShop(api, 'act-shop')
    await openSignedIn(page, api, '/settlements?tab=acts')
    await expect(page.getByText('No settlement acts found')).toBeVisible()
    await pressOn(page, page.getByRole('button', { name: 'Import', exact: true }))
    const form = dialog(page, 'Import')
    await chooseIn(page, form.getByRole('combobox', { name: 'Courier account' }), 'Courier of act-shop')
    await form.locator('input[type=file]').setInputFiles({
      name: 'acts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(createFile('A-17', 'LOST-1')),
    })
    await pressOn(page, form.getByRole('button', { name: 'Import' }))
    await expect(form.getByRole('status', { name: 'Result of the import' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await expect(rows(page)).toHaveCount(1)
    await expectAccessibleLayout(page, 'acts', allAppearances)

    await pressOn(page, rows(page))
    const act = dialog(page, 'Settlement act A-17')
    await expectAccessibleLayout(page, 'act', allAppearances)
    await pressOn(page, act.getByRole('link', { name: '1', exact: true }).first())
    await expect(page).toHaveURL(/tab=acts.*act_id=/)
    await expect(rows(page)).toContainText('LOST-1')
    await expect(rows(page)).toContainText('Unknown order')
    await expectAccessibleLayout(page, 'act lines', allAppearances)

    await openSignedIn(page, api, '/settlements?tab=differences&search=LOST-1')
    await expectAccessibleLayout(page, 'differences', allAppearances)
    await expect(page.getByRole('combobox', { name: 'Filter by status' })).toHaveValue('Open')
    await pressOn(page, rows(page))
    const difference = dialog(page, 'LOST-1')
    await chooseIn(page, difference.getByRole('combobox', { name: 'Assignee' }), 'Name of act-shop')
    await expect(page.getByText('Assignee saved.')).toBeVisible()
    await typeInto(
      page,
      difference.getByRole('textbox', { name: 'Note' }),
      'The courier wrote a wrong number',
    )
    await tabTo(page, difference.getByRole('checkbox', { name: /^Resolve/ }))
    await page.keyboard.press(' ')
    await expectAccessibleLayout(page, 'difference', allAppearances)
    await pressOn(page, difference.getByRole('button', { name: 'Resolve' }))
    await expect(difference.getByText('Resolved', { exact: true }).first()).toBeVisible()
    await expect(difference.getByRole('list', { name: 'Notes' })).toContainText('wrong number')
    await expect(rows(page)).toHaveCount(0)
    await pressOn(page, difference.getByRole('button', { name: 'Reopen' }))
    await expect(difference.getByText('Open', { exact: true })).toBeVisible()
    await expect(rows(page)).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(difference).toHaveCount(0)
    await expect(rows(page)).toBeFocused()

    await openSignedIn(page, api, '/settlements?tab=acts')
    await pressOn(page, rows(page))
    await pressOn(page, act.getByRole('button', { name: 'Void the act' }))
    const reason = act.getByRole('textbox', { name: 'Reason' })
    await expect(reason).toBeFocused()
    await page.keyboard.type('The file was of another account')
    await expectAccessibleLayout(page, 'void act', allAppearances)
    await pressOn(page, act.getByRole('button', { name: 'Void the act' }))
    await expect(act).toHaveCount(0)
    await expect(rows(page)).toContainText('Voided')
    await expect(rows(page)).toBeFocused()
    await openSignedIn(page, api, '/settlements?tab=differences&search=LOST-1')
    await expect(page.getByText('No differences found')).toBeVisible()
  },
)

test('a shop sees the lines of its own parcels in the acts', variants, async ({ page, api }) => {
  const { accountId, password } = await newShop(api, 'own-shop')
  const order = new FormData()
  order.set('file', new File([parcelFile], 'parcels.csv'))
  await api.call('POST', '/api/admin/parcels/import/', order)
  const acts = new FormData()
  acts.set('courier_account_id', String(accountId))
  acts.set('file', new File([createFile('B-18', 'OWN-1')], 'acts.csv'))
  await api.call('POST', '/api/admin/settlements/import/', acts)

  const shop = await Api.signIn(api.url, 'own-shop', password)
  await page.setViewportSize({ width: 360, height: 740 })
  await openSignedIn(page, shop, '/money?tab=acts')
  await expect(rows(page)).toContainText('B-18')
  await expectAccessibleLayout(page, 'own acts', allAppearances.toReversed())
  await pressOn(page, rows(page).getByRole('link', { name: '1', exact: true }))
  await expect(page).toHaveURL(/money\?.*act_id=/)
  await expect(rows(page)).toContainText('OWN-1')
  await expect(page.getByRole('heading', { name: 'Settlement act B-18' })).toBeVisible()
  await expectAccessibleLayout(page, 'own act lines', allAppearances.toReversed())
  await pressOn(page, page.getByRole('link', { name: 'Back to settlement acts' }))
  await expect(rows(page)).toContainText('B-18')
})

test('Back leads from the balances of a typed day to those without one', async ({ page, api }) => {
  await openSignedIn(page, api, '/settlements?tab=accounts')
  const day = page.getByLabel('At the end of')
  await day.click()
  // The first part of the field, day or month.
  await page.keyboard.press('Home')
  await page.keyboard.type('01022026')
  await expect(page).toHaveURL(/at=2026-/)
  await page.keyboard.press('ArrowUp')
  await expect(page).toHaveURL(/at=2027-/)
  await page.goBack()
  await expect(page).toHaveURL(/tab=accounts$/)
  await expect(day).toHaveValue('')
})
