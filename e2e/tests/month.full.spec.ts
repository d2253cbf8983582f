import type { Page } from '@playwright/test'
import type { Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { variants } from '../src/extent.ts'
import { test } from '../src/fakes.ts'
import { openSignedIn, pressOn, tabTo, typeInto } from '../src/keyboard.ts'
import { newBuyer, prepareMonth } from '../src/month.ts'
import { askForWithdrawal } from '../src/money.ts'
import { sendToBank } from '../src/registry.ts'
import { allAppearances, expect, expectAccessibleLayout, type Appearances } from '../src/test.ts'

// Both tests work by keyboard.

const phone: Appearances = [
  [1440, 'dark'],
  [1440, 'light'],
  [360, 'light'],
  [360, 'dark'],
]

const rows = (page: Page) => page.locator('tr[data-key]')
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const tile = (page: Page, label: string) =>
  page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) })
/** The value of a fact or a sum in a dialog. */
const valueOf = (box: ReturnType<typeof dialog>, name: string) =>
  box
    .locator('dl > div')
    .filter({ has: box.page().locator('dt').getByText(name, { exact: true }) })
    .locator('dd')

const reasons = {
  'M-3': { kind: 'Amount differs', difference: '−40 000 UZS', reason: 'The receiver paid less' },
  'M-5': { kind: 'Fee differs', difference: '−5 000 UZS', reason: 'A heavy parcel' },
  'M-404': { kind: 'Unknown order', difference: '48 950 UZS', reason: 'A parcel of another client' },
} as const

/** Resolves the first of the open differences and returns to their list. */
async function resolveFirst(page: Page, orderno: keyof typeof reasons) {
  const { kind, difference, reason } = reasons[orderno]
  const row = rows(page).first()
  await expect(row).toContainText(orderno)
  await expect(row).toContainText(kind)
  await expect(row).toContainText(difference)
  await pressOn(page, row)
  const box = dialog(page, orderno)
  await typeInto(page, box.getByRole('textbox', { name: 'Note' }), reason)
  await tabTo(page, box.getByRole('checkbox', { name: /^Resolve/ }))
  await page.keyboard.press(' ')
  await pressOn(page, box.getByRole('button', { name: 'Resolve' }))
  await expect(valueOf(box, 'Reason')).toHaveText(reason)
  await page.keyboard.press('Escape')
  await expect(box).toHaveCount(0)
}

/** Approves the first of the requests and returns to their list. */
async function approveFirst(page: Page, id: number, amount: string) {
  await expect(rows(page).first()).toContainText(amount)
  await pressOn(page, rows(page).first())
  const box = dialog(page, `Withdrawal #${id}`)
  await pressOn(page, box.getByRole('button', { name: 'Approve' }))
  const question = page.getByRole('alertdialog', { name: /^Approve / })
  await expect(question).toContainText(amount)
  await pressOn(page, question.getByRole('button', { name: 'Approve' }))
  await expect(valueOf(box, 'Status')).toHaveText('Approved')
  await page.keyboard.press('Escape')
  await expect(box).toHaveCount(0)
}

test(
  'an accountant closes a month: fetches an act, resolves its differences, approves requests, exports the registry, closes the statement',
  variants,
  async ({ page, api, fakes }) => {
    const month = await prepareMonth(api, fakes.courier)
    const first = await askForWithdrawal(month.first, 150_000.5, '8600 1111 2222 3333')
    const second = await askForWithdrawal(month.second, 60_000, '8600 4444 5555 6666')

    await openSignedIn(page, api, '/settings/courier')
    const account = page.getByRole('row').filter({ hasText: month.courierAccount })
    await pressOn(page, account.getByRole('button', { name: /^Run now/ }))
    await expect(account.getByRole('cell').last()).toContainText('OK')

    await page.goto(`${api.url}/settlements?tab=acts`)
    const act = rowOf(page, 'A-71')
    for (const amount of ['1 434 000 UZS', '166 510 UZS', '1 267 490 UZS', '3 950 UZS'])
      await expect(act).toContainText(amount)
    await expectAccessibleLayout(page, 'acts of the month', allAppearances)
    await pressOn(page, act)
    const box = dialog(page, 'Settlement act A-71')
    await expect(valueOf(box, 'Due')).toHaveText('1 267 490 UZS')
    await expect(valueOf(box, 'Paid')).toHaveText('1 267 490 UZS')
    await expectAccessibleLayout(page, 'act of the month', allAppearances)
    await pressOn(page, valueOf(box, 'Open differences').getByRole('link', { name: '3' }))
    await expect(page).toHaveURL(/tab=differences/)
    await expect(rows(page)).toHaveCount(3)
    await expectAccessibleLayout(page, 'differences of the month', allAppearances)
    await page.goto(`${api.url}/settlements?tab=differences&status=open&sort=orderno`)
    for (const [index, orderno] of (['M-3', 'M-404', 'M-5'] as const).entries()) {
      await expect(rows(page)).toHaveCount(3 - index)
      await resolveFirst(page, orderno)
    }
    await expect(page.getByText('No differences found')).toBeVisible()
    await page.goto(`${api.url}/settlements?tab=acts`)
    await expect(act.getByRole('cell').last()).toHaveText('0')

    // From the courier's account to its entries, to the line of the act, and to the parcel.
    await page.goto(`${api.url}/settlements?tab=accounts&kind=courier`)
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('0 UZS')
    await pressOn(page, rows(page).getByRole('link', { name: '8' }))
    await expect(rows(page)).toHaveCount(8)
    await pressOn(page, page.getByRole('link', { name: 'Act line M-5' }))
    await expect(page.getByRole('heading', { name: 'Settlement act A-71' })).toBeVisible()
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('378 850')
    await pressOn(page, rows(page).getByRole('link', { name: 'M-5' }))
    await expect(page.getByRole('region', { name: 'M-5' })).toContainText('410 000 сум, Наличные')

    await page.goto(`${api.url}/settlements?status=requested&search=month`)
    await approveFirst(page, second, '60 000 UZS')
    await expect(rows(page)).toHaveCount(1)
    await approveFirst(page, first, '150 000.50 UZS')
    await expect(rows(page)).toHaveCount(0)
    const text = await sendToBank(page)
    const [header, ...lines] = text.trim().split(/\r?\n/)
    expect(header?.replace('\uFEFF', '').split(/[;,]/)).toHaveLength(5)
    expect(lines.map((line) => line.split(/[;,]/).map((cell) => cell.replaceAll('"', '')))).toEqual([
      [String(first), month.first.name, '8600 1111 2222 3333', '150000.50', 'UZS'],
      [String(second), month.second.name, '8600 4444 5555 6666', '60000.00', 'UZS'],
    ])

    await page.goto(`${api.url}/settlements?tab=statements&search=month-first`)
    await pressOn(page, page.getByRole('button', { name: 'Close a period' }))
    const form = dialog(page, 'Close a period')
    await typeInto(page, form.getByRole('combobox', { name: 'Person' }), 'month-first')
    await expect(page.getByRole('option', { name: month.first.name })).toBeVisible()
    await page.keyboard.press('Enter')
    await pressOn(page, form.getByRole('button', { name: 'Close the period' }))
    const question = page.getByRole('alertdialog', { name: /^Close .*stays closed/ })
    await pressOn(page, question.getByRole('button', { name: 'Close the period' }))
    await expect(form).toHaveCount(0)
    await pressOn(page, rows(page))
    const statement = dialog(page, /^Statement #/)
    await expect(valueOf(statement, 'Person')).toHaveText(month.first.name)
    await expect(valueOf(statement, 'Closing balance')).toHaveText('0 UZS')
    await expectAccessibleLayout(page, 'statement of the month', allAppearances)
  },
)

test(
  'a buyer follows their money on a phone: balance, lines, a request, its answer and the statement',
  variants,
  async ({ page, api }) => {
    const buyer = await newBuyer(api, 'phone-buyer', [90_000, 85_000.5])
    await page.setViewportSize({ width: 360, height: 740 })
    await openSignedIn(page, buyer.api, '/money')
    await expect(tile(page, 'Available')).toContainText('175 000.50')
    await expectAccessibleLayout(page, 'balance of the month', phone)
    await pressOn(page, tile(page, 'Earned').getByRole('link'))
    await expect(rows(page)).toHaveCount(2)
    await expect(rowOf(page, '85 000.50 UZS')).toContainText(`M-${buyer.id}-1`)
    await expectAccessibleLayout(page, 'lines of the month', phone)
    await pressOn(page, rows(page).getByRole('link', { name: `M-${buyer.id}-1` }))
    await expect(page).toHaveURL(/\/leads\?id=/)
    await expect(page.getByRole('main')).toContainText(`M-${buyer.id}-1`)

    await page.goto(`${api.url}/money`)
    await pressOn(page, page.getByRole('button', { name: 'Request a withdrawal' }))
    const form = dialog(page, 'Withdrawal in UZS')
    await typeInto(page, form.getByLabel('Amount'), '100000')
    await typeInto(page, form.getByLabel('Payment details'), '8600 1234 5678 9012')
    await page.keyboard.press('Enter')
    await expect(form).toHaveCount(0)
    await expect(tile(page, 'Requested')).toContainText('100 000')

    const { items } = await api.call<{ items: Withdrawal[] }>(
      'GET',
      `/api/admin/withdrawals/?user_id=${buyer.id}`,
    )
    const path = `/api/admin/withdrawals/${items[0]?.id}`
    await api.call('POST', `${path}/approve/`)
    await api.call('POST', `${path}/pay/`, { paid_on: '2026-11-02', reference: 'PAY-77' })
    await api.call('POST', '/api/admin/statements/', {
      user_id: buyer.id,
      currency: 'UZS',
      start_date: '2026-10-01',
      end_date: '2026-10-31',
    })

    await page.reload()
    await expect(tile(page, 'Paid')).toContainText('100 000')
    await expect(tile(page, 'Available')).toContainText('75 000.50')
    await pressOn(page, tile(page, 'Paid').getByRole('link'))
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('PAY-77')
    await expectAccessibleLayout(page, 'answer of the month', phone)
    await pressOn(page, page.getByRole('tab', { name: 'Withdrawals' }), 'End')
    await expect(page).toHaveURL(/tab=statements/)
    await pressOn(page, rows(page))
    const statement = dialog(page, /^Statement #/)
    await expect(valueOf(statement, 'Period')).toHaveText('01.10.2026 – 31.10.2026')
    await expect(valueOf(statement, 'Closing balance')).toHaveText('0 UZS')
    await expectAccessibleLayout(page, 'own statement of the month', phone)
  },
)
