import type { Page } from '@playwright/test'
import { variants } from '../src/extent.ts'
import { openSignedIn, pressOn, typeInto } from '../src/keyboard.ts'
import { askForWithdrawal, newEarner } from '../src/money.ts'
import { allAppearances, expect, expectAccessibleLayout, test, type Appearances } from '../src/test.ts'

// Every test works by keyboard.
test.use({ expectedStatus: [409, 422] })

const phone: Appearances = [
  [1440, 'light'],
  [360, 'dark'],
]

const rows = (page: Page) => page.locator('tr[data-key]')
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** A figure of the balance. */
const tile = (page: Page, label: string) =>
  page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) })

test(
  'a buyer follows their money on a phone: balance, history, a request, and a cancelled request',
  variants,
  async ({ page, api }) => {
    const buyer = await newEarner(api, 'money-buyer', 1_000_000)
    await page.setViewportSize({ width: 360, height: 740 })
    await openSignedIn(page, buyer.api, '/parcels')
    await pressOn(page, page.getByRole('button', { name: /profile and sign out/ }))
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'My money' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/money$/)
    await expect(tile(page, 'Available')).toContainText('1 000 000')
    await expectAccessibleLayout(page, 'balance', phone)

    const request = button(page, 'Request a withdrawal')
    await pressOn(page, request)
    const form = dialog(page, 'Withdrawal in UZS')
    const calls: string[] = []
    page.on('request', (sent) => calls.push(sent.method()))
    await typeInto(page, form.getByLabel('Payment details'), '8600 1234 5678 9012')
    for (const amount of ['0', '-5']) {
      await typeInto(page, form.getByLabel('Amount'), amount)
      await page.keyboard.press('Enter')
      await expect(form.getByLabel('Amount')).toHaveAccessibleDescription('Enter an amount above 0')
    }
    expect(calls).not.toContain('POST')
    await typeInto(page, form.getByLabel('Amount'), '1000001')
    await typeInto(page, form.getByLabel('Payment details'), '8600 1234 5678 9012')
    await page.keyboard.press('Enter')
    await expect(form).toContainText('Only 1,000,000 UZS are available.')
    await expectAccessibleLayout(page, 'request', phone)
    await typeInto(page, form.getByLabel('Amount'), '300000,50')
    await page.keyboard.press('Enter')
    await expect(form.getByText('The withdrawal is requested.')).toBeVisible()
    await expect(form).toHaveCount(0)
    await expect(request).toBeFocused()
    await expect(tile(page, 'Available')).toContainText('699 999.50')
    await expect(tile(page, 'Requested')).toContainText('300 000.50')
    const newest = page.getByRole('region', { name: 'Newest entries' })
    await expect(newest).toContainText('1 000 000 UZS')
    await expect(newest).toContainText(/Adjustment #\d+: Opening balance/)
    await expect(page.getByRole('region', { name: 'Open withdrawals' })).toContainText('•••• 9012')
    await expectAccessibleLayout(page, 'balance with its lists', phone)

    await pressOn(page, tile(page, 'Available').getByRole('link'))
    await expect(page).toHaveURL(/tab=history.*part=available/)
    await expect(rows(page)).toHaveCount(1)
    await expect(tile(page, 'Entries below')).toContainText('1 000 000 UZS')
    await expect(tile(page, 'Requested')).toContainText('−300 000')
    await expect(tile(page, 'Available')).toContainText('699 999')
    await expectAccessibleLayout(page, 'available money', phone)
    // The sums are of all days, so the entries up to a day have none.
    await page.goto(`${page.url()}&to=2100-01-01`)
    await expect(rows(page)).toHaveCount(1)
    await expect(tile(page, 'Entries below')).toHaveCount(0)
    await page.goBack()
    await expect(tile(page, 'Entries below')).toBeVisible()
    await page.goBack()
    await pressOn(page, tile(page, 'Earned').getByRole('link'))
    await expect(page).toHaveURL(/tab=history.*part=earned/)
    await expect(rows(page)).toContainText('1 000 000 UZS')
    await page.goBack()
    await pressOn(page, tile(page, 'On hold').getByRole('link'))
    await expect(page).toHaveURL(/tab=history.*part=on_hold/)
    await expect(page.getByText('No entries found')).toBeVisible()
    await page.goBack()

    await pressOn(page, tile(page, 'Requested').getByRole('link'))
    await expect(page).toHaveURL(/tab=withdrawals.*status=open.*currency=UZS/)
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('•••• 9012')
    await pressOn(page, rows(page))
    const detail = dialog(page, /^Withdrawal #/)
    await pressOn(page, detail.getByRole('button', { name: 'Take back' }))
    await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Take back' }))
    await expect(detail.getByText('Cancelled', { exact: true })).toBeVisible()
    await expectAccessibleLayout(page, 'own withdrawal', phone)
    await page.keyboard.press('Escape')
    await expect(detail).toHaveCount(0)
    await expect(page.getByText('No withdrawals found')).toBeVisible()

    await pressOn(page, page.getByRole('tab', { name: 'Withdrawals' }), 'ArrowLeft')
    await expect(page).toHaveURL(/tab=history/)
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('1 000 000 UZS')
    await expectAccessibleLayout(page, 'history', phone)
  },
)

test(
  'an admin approves and pays a withdrawal and declines another one with a reason, which the person sees',
  variants,
  async ({ page, api }) => {
    const buyer = await newEarner(api, 'paid-buyer', 500_000)
    const paidId = await askForWithdrawal(buyer, 200_000, '8600 1111 2222 3333')
    const declinedId = await askForWithdrawal(buyer, 50_000, '8600 4444 5555 6666')
    await openSignedIn(page, api, '/settlements?search=paid-buyer&sort=id')
    await expect(rows(page)).toHaveCount(2)
    await expectAccessibleLayout(page, 'withdrawals', allAppearances)

    await pressOn(page, rows(page).first())
    const paidDialog = dialog(page, `Withdrawal #${paidId}`)
    await pressOn(page, paidDialog.getByRole('button', { name: 'Approve' }))
    const question = page.getByRole('alertdialog', { name: /^Approve / })
    await expect(question).toContainText(`200 000 UZS for ${buyer.name}`)
    await pressOn(page, question.getByRole('button', { name: 'Approve' }))
    await expect(paidDialog.getByText('Approved', { exact: true })).toBeVisible()
    await pressOn(page, paidDialog.getByRole('button', { name: 'Record the payment' }))
    await expect(paidDialog.getByLabel('Paid on')).toBeFocused()
    await typeInto(page, paidDialog.getByLabel('Reference'), 'PAY-1')
    await expectAccessibleLayout(page, 'payment', allAppearances)
    await page.keyboard.press('Enter')
    const payment = page.getByRole('alertdialog', { name: /^Record that / })
    await expect(payment).toContainText(`200 000 UZS was paid to ${buyer.name}`)
    await pressOn(page, payment.getByRole('button', { name: 'Record the payment' }))
    await expect(paidDialog.getByText('PAY-1')).toBeVisible()
    await expect(paidDialog).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(paidDialog).toHaveCount(0)

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const declinedDialog = dialog(page, `Withdrawal #${declinedId}`)
    await pressOn(page, declinedDialog.getByRole('button', { name: 'Decline' }))
    await pressOn(page, declinedDialog.getByRole('button', { name: 'Decline' }))
    await expect(declinedDialog.getByText('Reason is required')).toBeVisible()
    await typeInto(page, declinedDialog.getByLabel('Reason'), 'The card is closed')
    await pressOn(page, declinedDialog.getByRole('button', { name: 'Decline' }))
    await expect(declinedDialog.getByText('Declined', { exact: true })).toBeVisible()
    const ownWithdrawals = await buyer.api.call<{ items: unknown[] }>('GET', '/api/user/withdrawals/?sort=id')
    expect(ownWithdrawals.items).toMatchObject([
      { status: 'paid', reference: 'PAY-1' },
      { status: 'declined', decline_reason: 'The card is closed' },
    ])
  },
)
