import type { Page } from '@playwright/test'
import type { FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { Api } from '../src/api.ts'
import { variants } from '../src/extent.ts'
import { openSignedIn, pressOn, tabTo, typeInto } from '../src/keyboard.ts'
import { newBuyer } from '../src/month.ts'
import { signOutInOtherTab } from '../src/sign-out.ts'
import { test } from '../src/telegram.ts'
import { expect, expectAccessibleLayout, submitSignIn, type Appearances } from '../src/test.ts'

// Every test works by keyboard. A view that is deleted meanwhile answers 404, and a refused schedule 422.
test.use({ expectedStatus: [404, 422] })

const appearances: Appearances = [
  [360, 'light'],
  [1440, 'dark'],
  [360, 'dark'],
  [1440, 'light'],
]

const form = (page: Page) => page.getByRole('dialog', { name: /^Schedule of/ })
const button = (page: Page, name: string) => form(page).getByRole('button', { name, exact: true })
const messages = (page: Page) => form(page).getByRole('status').filter({ hasText: 'Last message' })

async function openSchedule(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('main').getByRole('button', { name: /^Views/ }))
  await pressOn(page, page.getByRole('button', { name: 'Send on schedule' }))
  await expect(form(page)).toBeVisible()
}

async function createView(
  api: Api,
  name: string,
  { address = '/explore?rows=offer', roleIds = [] }: { address?: string; roleIds?: readonly number[] } = {},
): Promise<SavedView> {
  const body = { name, address, shared_role_ids: roleIds }
  return api.call<SavedView>('POST', '/api/views/', body)
}

/** Creates a person with a view of Explore, and opens the schedule of the view. */
async function openNewSchedule(page: Page, api: Api, username: string) {
  const { password } = await api.newPerson(username)
  const ownApi = await Api.signIn(api.url, username, password)
  const view = await createView(ownApi, 'Week')
  await openSignedIn(page, ownApi, `/explore?rows=offer&view_id=${view.id}`)
  await openSchedule(page)
  return { ownApi, view }
}

/** Links a chat of the person, who then has the chat alone. */
async function linkChat(
  api: Api,
  telegram: FakeTelegram,
  { chat, password }: { chat: number; password: string },
) {
  const proof = { current_password: password }
  const { code } = await api.call<{ code: string }>('POST', '/parcel/auth/telegram/', proof)
  telegram.write(chat, code)
  await expect.poll(() => listOwn(telegram.messages, chat).length, 'the chat is linked').toBe(1)
}

const listOwn = <Message extends { chat: string }>(sentMessages: readonly Message[], chat: number) =>
  sentMessages.filter((message) => message.chat === String(chat))

test(
  'a person schedules a view, sends it at once, and sees the state of its messages again later',
  variants,
  async ({ page, api, product, telegram }) => {
    await linkChat(api, telegram, { chat: 4321, password: product.admin.password })
    const { items } = await api.call<{ items: { id: number }[] }>('GET', '/api/admin/roles/')
    const view = await createView(api, 'Offers', { roleIds: items.map(({ id }) => id) })
    await openSignedIn(page, api, `/explore?rows=offer&view_id=${view.id}`)
    await openSchedule(page)
    await expect(form(page).getByRole('radio', { name: 'Telegram' })).toBeFocused()
    await tabTo(page, form(page).getByRole('radio', { name: 'Days of the week' }))
    await page.keyboard.press('ArrowRight')
    await tabTo(page, form(page).getByRole('combobox', { name: 'Days of the month' }))
    for (const day of ['15', '31']) {
      await page.keyboard.type(day)
      await expect(page.getByRole('listbox').getByRole('option')).toHaveText([day])
      await page.keyboard.press('Enter')
    }
    await page.keyboard.press('Escape')
    await expect(form(page)).toBeVisible()
    await typeInto(page, form(page).getByLabel('Time'), '0745')
    await pressOn(page, form(page).getByRole('checkbox', { name: /Also to the people/ }), 'Space')
    await pressOn(page, button(page, 'Save'))
    await expect(messages(page)).toContainText(/Next message(?:15|28|29|30|31)\.\d\d\.\d{4} 07:45/)
    await expect(messages(page)).toContainText('Nothing was sent yet')
    await pressOn(page, button(page, 'Send now'))
    await expect(messages(page)).toContainText(/Last messageSent \d\d\.\d\d\.\d{4} \d\d:\d\d/)
    expect(listOwn(telegram.sent, 4321)).toMatchObject([{ name: 'explore.xlsx' }])
    await expectAccessibleLayout(page, 'a schedule with a message', appearances)

    await page.reload()
    await openSchedule(page)
    await expect(messages(page)).toContainText('Last messageSent')
    await expect(form(page).getByLabel('Time')).toHaveValue('07:45')
    await expect(button(page, 'Remove 31')).toBeVisible()
    await expect(form(page).getByRole('checkbox', { name: /Also to the people/ })).toBeChecked()
    await pressOn(page, button(page, 'Remove'))
    await expect(form(page)).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('button', { name: /^Views/ })).toBeFocused()
    const { items: views } = await api.call<{ items: SavedView[] }>('GET', '/api/views/')
    expect(views).toMatchObject([{ id: view.id, schedule: null }])
  },
)

test(
  'a person schedules a list, is told that the chat is muted, and gets the rows and the file of the list',
  variants,
  async ({ page, api, telegram }) => {
    const { api: ownApi } = await newBuyer(api, 'list-buyer', [90_000, 85_000.5, 64_000])
    await linkChat(ownApi, telegram, { chat: 5432, password: 'list-buyer-password' })
    await ownApi.call('PUT', '/parcel/auth/telegram/', { mute: 'hour' })
    const view = await createView(ownApi, 'My leads', { address: '/leads?period=last_7_days' })
    await openSignedIn(page, ownApi, `/leads?period=last_7_days&view_id=${view.id}`)
    await openSchedule(page)
    await expect(
      form(page).getByText(/You turned notices off until \d\d\.\d\d\.\d{4} \d\d:\d\d/),
    ).toBeVisible()
    await expectAccessibleLayout(page, 'the schedule of a list, with a hint', appearances)
    await pressOn(page, button(page, 'Save'))
    await pressOn(page, button(page, 'Send now'))
    await expect(messages(page)).toContainText('The person turned notices off for a time.')

    await ownApi.call('PUT', '/parcel/auth/telegram/', { mute: 'off' })
    await page.reload()
    await openSchedule(page)
    await expect(form(page).getByRole('radio', { name: 'Telegram' })).toBeVisible()
    await expect(form(page).getByText('You turned notices off')).toHaveCount(0)
    await pressOn(page, button(page, 'Send now'))
    await expect(messages(page)).toContainText(/Last messageSent \d\d\.\d\d\.\d{4} \d\d:\d\d/)
    const files = listOwn(telegram.sent, 5432).map(({ name }) => name)
    expect(files).toEqual([expect.stringMatching(/^leads-\d{4}-\d\d-\d\d\.xlsx$/)])
    const text = listOwn(telegram.messages, 5432).at(-1)?.text
    expect(text).toMatch(/^My leads\nПериод: .*\nСтрок: 3\n\nЛид · Оффер · Статус · Выплата\nM-/)
    expect(text).toMatch(/ · Kettle · .* · 85\s000,50\n/)
    await page.keyboard.press('Escape')
    await expect(form(page)).toHaveCount(0)
  },
)

test(
  'the schedule of parcels is in Russian, with the reason of a message that was not sent',
  variants,
  async ({ page, api }) => {
    const { password } = await api.newPerson('no-parcels')
    const ownApi = await Api.signIn(api.url, 'no-parcels', password)
    const view = await createView(ownApi, 'Сегодня', { address: '/parcels?period=today' })
    await openSignedIn(page, ownApi, `/parcels?period=today&view_id=${view.id}`)
    await pressOn(page, page.getByRole('main').getByRole('button', { name: /^Виды/ }))
    await pressOn(page, page.getByRole('button', { name: 'Отправлять по расписанию' }))
    const dialog = page.getByRole('dialog', { name: /^Расписание вида/ })
    await expect(dialog.getByText('У вас нет привязанного чата')).toBeVisible()
    await pressOn(page, dialog.getByRole('button', { name: 'Сохранить', exact: true }))
    await pressOn(page, dialog.getByRole('button', { name: 'Отправить сейчас' }))
    await expect(dialog).toContainText('У получателя нет привязанного чата.')
    await expectAccessibleLayout(page, 'the schedule of parcels', appearances)
  },
)

test(
  'a person without a chat gets a hint and the reason of a refusal, and keeps what they typed after an error',
  variants,
  async ({ page, api }) => {
    const { ownApi, view } = await openNewSchedule(page, api, 'no-chat')
    await expect(form(page).getByText('You have no linked chat')).toBeVisible()
    await expect(form(page).getByRole('link', { name: 'Open the profile' })).toHaveAttribute(
      'href',
      '/profile',
    )
    await expect(form(page).getByRole('radio', { name: 'Mail' })).toHaveCount(0)
    await expect(form(page).getByRole('checkbox')).toHaveCount(1)
    await tabTo(page, form(page).getByRole('combobox', { name: 'Days of the week' }))
    await page.keyboard.press('Backspace')
    await pressOn(page, button(page, 'Save'))
    await expect(form(page).getByText('Days of the week is required')).toBeVisible()
    await expect(form(page).getByRole('combobox')).toBeFocused()
    await page.keyboard.type('Friday')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await pressOn(page, button(page, 'Save'))
    await pressOn(page, button(page, 'Send now'))
    await expect(messages(page)).toContainText('The person has no chat linked')
    await expectAccessibleLayout(page, 'a refused message', appearances)

    await typeInto(page, form(page).getByLabel('Time'), '1860')
    await pressOn(page, button(page, 'Save'))
    await expect(form(page).getByText('Enter a time from 00:00 to 23:59')).toBeVisible()
    await typeInto(page, form(page).getByLabel('Time'), '18:30')
    await ownApi.call('DELETE', `/api/views/${view.id}/`)
    await pressOn(page, button(page, 'Save'))
    await expect(form(page).getByRole('alert')).toBeVisible()
    await expect(form(page).getByLabel('Time')).toHaveValue('18:30')
    await expect(button(page, 'Remove Friday')).toBeVisible()
  },
)

test(
  'an error of the server about a field of a schedule is at its input',
  variants,
  async ({ page, api }) => {
    const { view } = await openNewSchedule(page, api, 'refused-schedule')
    // The form checks its values itself, so a wrong one is put into the request.
    await page.route(`**/api/views/${view.id}/`, async (route) => {
      const { schedule } = route.request().postDataJSON() as { schedule: object }
      await route.continue({ postData: JSON.stringify({ schedule: { ...schedule, time: '24:00' } }) })
    })
    await pressOn(page, button(page, 'Save'))
    await expect(form(page).getByLabel('Time')).toBeFocused()
    await expect(form(page).getByLabel('Time')).toHaveAccessibleDescription(/is not valid/)
    await expectAccessibleLayout(page, 'a refused schedule', appearances)
  },
)

test('the input of a schedule is there again after a sign-out in another tab', async ({
  page,
  context,
  api,
}) => {
  const { view } = await openNewSchedule(page, api, 'schedule-draft')
  const time = form(page).getByLabel('Time')
  await typeInto(page, time, '06:47')
  await signOutInOtherTab(page, context)
  await submitSignIn(page, 'schedule-draft', 'schedule-draft-password')
  await expect(page).toHaveURL(new RegExp(`view_id=${view.id}`))
  await expect(page.getByRole('main').getByRole('button', { name: /^Views/ })).toBeVisible()
  // The sign-in has led back. The home page is again that of everybody.
  await page.evaluate(() => {
    window.history.pushState(null, '', '/dashboard')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(page).toHaveURL(/\/parcels$/)
  await page.goBack()
  await openSchedule(page)
  await expect(time).toHaveValue('06:47')
})

test('a saved schedule counts as saved: its page is left without a question', async ({ page, api }) => {
  await openNewSchedule(page, api, 'schedule-saved')
  await typeInto(page, form(page).getByLabel('Time'), '06:47')
  await pressOn(page, button(page, 'Save'))
  await expect(messages(page)).toContainText('06:47')
  const isLeftAtOnce = () =>
    page.evaluate(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
  expect(await isLeftAtOnce()).toBe(true)
  await typeInto(page, form(page).getByLabel('Time'), '06:48')
  expect(await isLeftAtOnce()).toBe(false)
})
