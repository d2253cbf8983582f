import type { Page } from '@playwright/test'
import type { FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { announceFeatures } from '../src/bare.ts'
import { confirmByPassword, openSignedIn, pressOn, tabTo } from '../src/keyboard.ts'
import { chooseOption } from '../src/leads.ts'
import { importParcels } from '../src/orders.ts'
import { test } from '../src/telegram.ts'
import { selectAppearances, variants } from '../src/extent.ts'
import { allAppearances, expect, expectAccessible, expectNoHorizontalScroll, signIn } from '../src/test.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Telegram' })
const state = (page: Page) => card(page).getByRole('status').first()
const link = (page: Page) => card(page).getByRole('button', { name: 'Link my Telegram' })

/** The messages of the bot in a chat. */
const messagesTo = (telegram: FakeTelegram, chat: number) =>
  telegram.messages.filter((message) => message.chat === String(chat)).map(({ text }) => text)

async function expectSound(page: Page, label: string): Promise<void> {
  for (const [width, colorScheme] of selectAppearances(allAppearances)) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await expectNoHorizontalScroll(page, `${label}, ${width} px`)
    await expectAccessible(page, `${label}, ${width} px, ${colorScheme}`)
  }
}

test(
  'a person links their Telegram chat by a code, chooses its notices, and unlinks it',
  variants,
  async ({ page, api, telegram, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { password } = await api.newPerson('notified')
    await signIn(page, api.url, 'notified', password)
    await page.goto(`${api.url}/profile`)
    await expect(state(page)).toHaveText('Not linked')
    await pressOn(page, link(page))
    await confirmByPassword(page, 'Link my Telegram', password, 'Continue')
    const code = await card(page).locator('code').innerText()
    expect(code).toMatch(/^[A-Z2-9]{10}$/)
    await expect(card(page).getByRole('link', { name: 'Open @karvon_bot' })).toHaveAttribute(
      'href',
      `https://t.me/karvon_bot?start=${code}`,
    )
    await expect(card(page)).toContainText(/Valid until \d\d:\d\d/)
    await pressOn(page, card(page).getByRole('button', { name: 'Copy the code' }))
    await expect(page.getByText('Code copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
    await expectSound(page, 'a code')

    telegram.write(501, `/start ${code}`)
    await expect(page.getByText('Telegram is linked')).toBeVisible({ timeout: 30_000 })
    await expect(state(page)).toHaveText('Linked')
    await expect
      .poll(() => messagesTo(telegram, 501), { timeout: 30_000 })
      .toEqual(['Уведомления включены: Name of notified. Отключить: /stop'])
    const choice = (name: string) => card(page).getByRole('checkbox', { name })
    await expect(choice('A parcel or a file of mine needs attention')).toBeChecked()
    await expect(choice('A parcel of mine was delivered')).toBeChecked()
    await expect(choice('Every morning, how yesterday went')).not.toBeChecked()
    await expectSound(page, 'linked')

    // The card shows a choice before the server has it.
    const waitForSave = () => page.waitForResponse((response) => response.request().method() === 'PUT')
    const choiceSave = waitForSave()
    await pressOn(page, choice('A parcel of mine was delivered'), 'Space')
    await choiceSave
    await importParcels(api, ['T-1', 'COMPLETE', 0, 'notified'], ['T-2', 'LOST', 0, 'notified'])
    await expect
      .poll(() => messagesTo(telegram, 501).slice(1), { timeout: 30_000 })
      .toEqual([expect.stringMatching(/^Посылка T-2 требует внимания/)])
    await page.reload()
    await expect(choice('A parcel of mine was delivered')).not.toBeChecked()
    await expect(choice('A parcel or a file of mine needs attention')).toBeChecked()

    telegram.write(501, '/mute always')
    await expect
      .poll(() => messagesTo(telegram, 501).at(-1), { timeout: 30_000 })
      .toBe('Уведомления отключены. Включить: /mute off')
    await page.reload()
    await expect(card(page)).toContainText('Notices are turned off.')
    await expectSound(page, 'muted')
    const unmuteSave = waitForSave()
    await pressOn(page, card(page).getByRole('button', { name: 'Turn on' }))
    await expect(card(page)).not.toContainText('Notices are turned off')
    await unmuteSave
    await page.reload()
    await expect(choice('A parcel or a file of mine needs attention')).toBeChecked()
    await expect(card(page)).not.toContainText('Notices are turned off')

    const unlink = card(page).getByRole('button', { name: 'Unlink' })
    await pressOn(page, unlink)
    await confirmByPassword(page, 'Unlink your Telegram?', password, 'Unlink')
    await expect(state(page)).toHaveText('Not linked')
    await expect(link(page)).toBeVisible()
  },
)

test('the bot answers in the language that the person picks in the profile menu', async ({
  page,
  api,
  telegram,
}) => {
  const { password } = await api.newPerson('linguist')
  await signIn(page, api.url, 'linguist', password)
  await page.goto(`${api.url}/profile`)
  await pressOn(page, link(page))
  await confirmByPassword(page, 'Link my Telegram', password, 'Continue')
  telegram.write(601, await card(page).locator('code').innerText())
  await expect(state(page)).toHaveText('Linked', { timeout: 30_000 })
  await page.getByRole('button', { name: /profile and sign out/ }).click()
  await page.getByRole('menuitemradio', { name: 'O‘zbekcha' }).click()
  await expect(page.getByRole('button', { name: /profil va chiqish/ })).toBeVisible()
  telegram.write(601, '/help')
  await expect
    .poll(() => messagesTo(telegram, 601).at(-1)?.split('\n')[0], { timeout: 30_000 })
    .toBe('Buyruqlar:')
})

test(
  'an admin sees the notices to people and sends a refused one again',
  variants,
  async ({ page, api, product, telegram }) => {
    const proof = { current_password: product.admin.password }
    const { code } = await api.call<{ code: string }>('POST', '/parcel/auth/telegram/', proof)
    telegram.write(777, code)
    await expect.poll(() => messagesTo(telegram, 777), { timeout: 30_000 }).toHaveLength(1)
    telegram.mode = 'kicked'
    await importParcels(api, ['N-1', 'COMPLETE', 0, 'admin'])

    await openSignedIn(page, api, '/uploads')
    await tabTo(page, page.getByRole('tab', { name: 'Uploads' }))
    await page.keyboard.press('ArrowRight')
    await expect(page).toHaveURL(/tab=notices/)
    const row = page.getByRole('row').filter({ hasText: 'Посылка N-1 доставлена' })
    await expect(row).toContainText('Refused', { timeout: 30_000 })
    await expect(row).toContainText('kicked')
    await expectSound(page, 'notices')
    telegram.mode = 'ok'
    await pressOn(page, row.getByRole('button', { name: 'Retry Посылка N-1 доставлена' }))
    await expect(row).toContainText('Sent', { timeout: 30_000 })
    expect(messagesTo(telegram, 777).slice(1)).toEqual(['Посылка N-1 доставлена'])
    await chooseOption(page, 'Filter by status', 'Queued')
    await expect(row).toHaveCount(0)
  },
)

test.describe('A host without a bot', () => {
  test('the profile of a host without a bot has no Telegram card and does not call for it', async ({
    page,
    api,
  }) => {
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await announceFeatures(page, 'profile')
    await openSignedIn(page, api, '/profile')
    await expect(page.getByRole('region', { name: 'Own details' }).getByLabel('Name')).toBeVisible()
    await page.waitForLoadState('networkidle')
    await expect(card(page)).toHaveCount(0)
    expect(paths).not.toContain('/parcel/auth/telegram/')
  })
})
