import type { Page } from '@playwright/test'
import { variants } from '../src/extent.ts'
import { chooseIn, openSignedIn, pressOn, typeInto } from '../src/keyboard.ts'
import { askForWithdrawal, newEarner } from '../src/money.ts'
import { downloadCsv, sendToBank } from '../src/registry.ts'
import { allAppearances, expect, expectAccessibleLayout, test } from '../src/test.ts'

// Every test works by keyboard.
test.use({ expectedStatus: [409, 422] })

const rows = (page: Page) => page.locator('tr[data-key]')
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test(
  'an admin sends approved withdrawals to the bank, downloads the registry twice, and records a refusal and a payment',
  variants,
  async ({ page, api }) => {
    const buyer = await newEarner(api, 'registry-buyer', 100_000)
    const ids = [
      await askForWithdrawal(buyer, 70_000, '8600 7777 8888 9999'),
      await askForWithdrawal(buyer, 20_000, '8600 7777 8888 9999'),
    ]
    for (const id of ids) await api.call('POST', `/api/admin/withdrawals/${id}/approve/`)
    await openSignedIn(page, api, '/settlements?search=registry-buyer&sort=id')
    const text = await sendToBank(page)
    expect(text).toContain('8600 7777 8888 9999')
    expect(text).not.toContain('••••')
    const sending = dialog(page, 'Send approved withdrawals to the bank')
    await expectAccessibleLayout(page, 'sent registry', allAppearances)
    await page.keyboard.press('Escape')
    await expect(sending).toHaveCount(0)

    await pressOn(page, rows(page).first())
    const refusedDialog = dialog(page, `Withdrawal #${ids[0]}`)
    await pressOn(page, refusedDialog.getByRole('button', { name: 'Refused by the bank' }))
    const question = page.getByRole('alertdialog', { name: /^Record that the bank refused/ })
    await expect(question).toContainText(`70 000 UZS for ${buyer.name}`)
    await pressOn(page, question.getByRole('button', { name: 'Refused by the bank' }))
    await expect(refusedDialog.getByText('Approved', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(refusedDialog).toHaveCount(0)

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await pressOn(page, dialog(page, `Withdrawal #${ids[1]}`).getByRole('link', { name: /^#/ }))
    await expect(rows(page)).toHaveCount(1)
    await expectAccessibleLayout(page, 'registries', allAppearances)
    await pressOn(page, rows(page))
    const registry = dialog(page, /^Payment registry #/)
    await expect(registry.getByRole('button', { name: 'Download' })).toBeVisible()
    await expectAccessibleLayout(page, 'registry', allAppearances)
    expect(await downloadCsv(page, registry.getByRole('button', { name: 'Download' }))).toBe(text)
    await api.call('POST', `/api/admin/withdrawals/${ids[1]}/pay/`, { reference: 'PAY-2' })
    await page.reload()
    await pressOn(page, rows(page))
    await expect(registry.getByText(/the payment details were removed/)).toBeVisible()
  },
)

test(
  'an admin adjusts an account and goes from its balance to its entries and to the reason of the adjustment',
  variants,
  async ({ page, api }) => {
    const { name } = await newEarner(api, 'adjusted-buyer', 1000)
    await openSignedIn(page, api, '/settlements?tab=accounts&search=adjusted-buyer')
    await expect(rows(page)).toContainText('−1 000 UZS')
    await expectAccessibleLayout(page, 'accounts', allAppearances)
    await pressOn(page, button(page, 'Adjust'))
    const form = dialog(page, 'Adjust an account')
    await typeInto(page, form.getByRole('combobox', { name: 'Account' }), 'adjusted-buyer')
    await expect(page.getByRole('option', { name: `Person: ${name}` })).toBeVisible()
    await page.keyboard.press('Enter')
    await typeInto(page, form.getByLabel('Amount'), '250,25')
    await typeInto(page, form.getByLabel('Reason'), 'Paid twice')
    await expectAccessibleLayout(page, 'adjustment', allAppearances)
    await pressOn(page, form.getByRole('button', { name: 'Save' }))
    const question = page.getByRole('alertdialog', { name: /^Post 250.25 UZS/ })
    await pressOn(page, question.getByRole('button', { name: 'Adjust' }))
    await expect(form.getByText('The account is adjusted.')).toBeVisible()
    await expect(form).toHaveCount(0)
    await expect(rows(page)).toContainText('−749.75 UZS')

    await pressOn(page, rows(page))
    await expect(page).toHaveURL(/tab=entries.*kind=person/)
    await expect(rows(page)).toHaveCount(2)
    await expectAccessibleLayout(page, 'entries', allAppearances)
    await pressOn(
      page,
      rows(page)
        .first()
        .getByRole('link', { name: /^Adjustment #/ }),
    )
    await expect(page).toHaveURL(/audit\?.*row_id=/)
    await expect(rows(page)).toHaveCount(1)
    await pressOn(page, rows(page))
    await expect(page.getByRole('dialog')).toContainText('Paid twice')
  },
)

test(
  'an admin sets payout terms from tomorrow on, and deletes them while they are not valid yet',
  variants,
  async ({ page, api }) => {
    await api.newPerson('terms-buyer')
    await openSignedIn(page, api, '/settlements?tab=terms&search=terms-buyer')
    await expect(page.getByText('No payout terms found')).toBeVisible()
    await pressOn(page, button(page, 'New payout terms'))
    const form = dialog(page, 'New payout terms')
    await typeInto(page, form.getByRole('combobox', { name: 'Person' }), 'terms-buyer')
    await expect(page.getByRole('option', { name: 'Name of terms-buyer' })).toBeVisible()
    await page.keyboard.press('Enter')
    await pressOn(page, form.getByRole('button', { name: 'Save' }))
    await expect(form.getByText('Give either a share or a fixed amount.').first()).toBeVisible()
    await typeInto(page, form.getByLabel('Share of the payout, %'), '150')
    await page.keyboard.press('Enter')
    await expect(form.getByText('From 0 to 100')).toBeVisible()
    await typeInto(page, form.getByLabel('Share of the payout, %'), '62,5')
    await chooseIn(page, form.getByRole('combobox', { name: 'Earned at' }), 'Sold')
    await expectAccessibleLayout(page, 'payout terms form', allAppearances)
    await pressOn(page, form.getByRole('button', { name: 'Save' }))
    await expect(form).toHaveCount(0)
    await expect(rows(page)).toContainText('62.5% of the payout')
    await expectAccessibleLayout(page, 'payout terms', allAppearances)

    await pressOn(page, rows(page))
    const detail = dialog(page, 'Payout terms')
    await pressOn(page, detail.getByRole('button', { name: 'Delete' }))
    await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }))
    await expect(detail).toHaveCount(0)
    await expect(rows(page)).toHaveCount(0)

    await pressOn(page, button(page, 'New payout terms'))
    await typeInto(page, form.getByRole('combobox', { name: 'Person' }), 'terms-buyer')
    await expect(page.getByRole('option', { name: 'Name of terms-buyer' })).toBeVisible()
    await page.keyboard.press('Enter')
    await typeInto(page, form.getByLabel('Fixed amount'), '1500')
    await expect(form.getByLabel('Currency')).toHaveValue('UZS')
    await typeInto(page, form.getByLabel('Currency'), 'USD')
    await page.keyboard.press('Enter')
    await expect(form).toHaveCount(0)
    await expect(rows(page)).toContainText('1 500 USD')
  },
)

test(
  'an admin closes the previous month of a person, who sees the statement and its entries',
  variants,
  async ({ page, api }) => {
    const { name } = await newEarner(api, 'closed-buyer', 1000)
    await openSignedIn(page, api, '/settlements?tab=statements&search=closed-buyer')
    await pressOn(page, button(page, 'Close a period'))
    const form = dialog(page, 'Close a period')
    await typeInto(page, form.getByRole('combobox', { name: 'Person' }), 'closed-buyer')
    await expect(page.getByRole('option', { name })).toBeVisible()
    await page.keyboard.press('Enter')
    await expectAccessibleLayout(page, 'close a period', allAppearances)
    await pressOn(page, form.getByRole('button', { name: 'Close the period' }))
    const question = page.getByRole('alertdialog', { name: /^Close / })
    await pressOn(page, question.getByRole('button', { name: 'Close the period' }))
    await expect(form.getByText('The period is closed.')).toBeVisible()
    await expect(form).toHaveCount(0)
    await expect(rows(page)).toHaveCount(1)
    await expectAccessibleLayout(page, 'statements', allAppearances)
    await pressOn(page, rows(page))
    const detail = dialog(page, /^Statement #/)
    await expect(detail).toContainText(name)
    await pressOn(page, detail.getByRole('link', { name: '0' }))
    await expect(page).toHaveURL(/tab=entries.*statement_id=/)
    await expect(rows(page)).toHaveCount(0)
  },
)
