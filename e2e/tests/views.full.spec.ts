import type { Page } from '@playwright/test'
import { firstTabs } from '@karvon/contract/saved-views/address.ts'
import { Api } from '../src/api.ts'
import { variants } from '../src/extent.ts'
import { openSignedIn, pressOn, tabTo, typeInto } from '../src/keyboard.ts'
import { expect, expectAccessibleLayout, test, type Appearances } from '../src/test.ts'

// Every test works by keyboard.
test.use({ expectedStatus: [409] })

const appearances: Appearances = [
  [360, 'light'],
  [1440, 'dark'],
  [1440, 'light'],
  [360, 'dark'],
]

const panel = (page: Page, name = 'Views') => page.getByRole('dialog', { name, exact: true })
const opener = (page: Page, name = 'Views') =>
  page.getByRole('main').getByRole('button', { name: new RegExp(`^${name}`) })
const entry = (page: Page, name: string | RegExp) => panel(page).getByRole('button', { name })
const headers = (page: Page) =>
  page
    .getByRole('columnheader')
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.trim()))

async function choose(page: Page, name: string | RegExp): Promise<void> {
  // The name of a view that was changed is shown before its panel closes.
  await expect(panel(page)).toHaveCount(0)
  await pressOn(page, opener(page))
  await pressOn(page, entry(page, name))
}

async function saveView(page: Page, name: string): Promise<void> {
  await choose(page, 'Save as a new view')
  await typeInto(page, panel(page).getByLabel('Name'), name)
  await page.keyboard.press('Enter')
}

test(
  'a person saves, changes, renames and deletes a view, and opens it by default and from the finder',
  variants,
  async ({ page, api }) => {
    await openSignedIn(page, api, '/leads?search=A-1&sort=-payout&page=2')
    await expect(opener(page)).toHaveAccessibleName('Views')
    await saveView(page, 'Best leads')
    await expect(opener(page)).toHaveAccessibleName('Views: Best leads')
    await expect(opener(page)).toBeFocused()
    await expect(page).toHaveURL(/\/leads\?search=A-1&sort=-payout&view_id=\d+$/)

    await saveView(page, 'Best leads')
    await expect(panel(page)).toContainText('Name is already taken.')
    await expectAccessibleLayout(page, 'a name that is taken', appearances)
    await page.keyboard.press('Escape')
    await expect(opener(page)).toBeFocused()

    await typeInto(page, page.getByRole('searchbox').first(), 'A-2')
    await expect(opener(page)).toHaveAccessibleName('Views: Best leads (changed)')
    await choose(page, 'Save the changes')
    await expect(opener(page)).toHaveAccessibleName('Views: Best leads')
    await choose(page, 'Rename')
    await typeInto(page, panel(page).getByLabel('Name'), 'My leads')
    await page.keyboard.press('Enter')
    await expect(opener(page)).toHaveAccessibleName('Views: My leads')

    await choose(page, 'Open by default')
    await expect(panel(page)).toHaveCount(0)
    await page.goto(`${api.url}/leads`)
    await expect(opener(page)).toHaveAccessibleName('Views: My leads')
    await expect(page.getByRole('searchbox').first()).toHaveValue('A-2')
    await pressOn(page, opener(page))
    await expect(entry(page, /^My leads/)).toHaveAttribute('aria-current', 'true')
    await expect(entry(page, /^My leads/)).toContainText('default')
    await expectAccessibleLayout(page, 'the views of a screen', appearances)
    await pressOn(page, entry(page, 'Without a view'))
    await expect(page).toHaveURL(/\/leads$/)
    await expect(opener(page)).toHaveAccessibleName('Views')

    await page.goto(`${api.url}/leads?search=other`)
    await expect(page.getByRole('searchbox').first(), 'an address with a query stays').toHaveValue('other')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('my lea')
    await expect(page.getByRole('option', { name: 'My leads Saved view' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(opener(page)).toHaveAccessibleName('Views: My leads')

    await choose(page, 'Delete')
    await expect(panel(page)).toContainText('Delete the view “My leads”?')
    await pressOn(page, entry(page, 'Delete'))
    await expect(opener(page)).toHaveAccessibleName('Views')
    await page.goto(`${api.url}/leads`)
    await expect(page).toHaveURL(/\/leads$/)
    await pressOn(page, opener(page))
    await expect(panel(page)).toContainText('No view is saved here yet.')
  },
)

test(
  'an admin shares a view with a role, and its people open it in Russian and in their own scope',
  variants,
  async ({ page, browser, api }) => {
    const { password } = await api.newPerson('view-buyer')
    const buyer = await Api.signIn(api.url, 'view-buyer', password)
    await openSignedIn(page, api, '/parcels?search=ORD&period=last_7_days')
    const views = page.getByRole('main').getByRole('button', { name: /^Виды/ })
    const dialog = page.getByRole('dialog', { name: 'Виды', exact: true })
    await pressOn(page, views)
    await pressOn(page, dialog.getByRole('button', { name: 'Сохранить как новый вид' }))
    await typeInto(page, dialog.getByLabel('Название'), 'Неделя')
    await page.keyboard.press('Enter')
    await expect(views).toHaveAccessibleName('Виды: Неделя')
    await pressOn(page, views)
    await pressOn(page, dialog.getByRole('button', { name: 'Поделиться с ролями' }))
    await tabTo(page, dialog.getByRole('combobox'))
    await page.keyboard.type('view-buyer')
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Role of view-buyer'])
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await expectAccessibleLayout(page, 'sharing', appearances)
    await pressOn(page, dialog.getByRole('button', { name: 'Сохранить' }))
    await expect(dialog).toHaveCount(0)

    const context = await browser.newContext()
    const otherPage = await context.newPage()
    await openSignedIn(otherPage, buyer, '/parcels')
    const sharedButton = otherPage.getByRole('main').getByRole('button', { name: /^Виды/ })
    await pressOn(otherPage, sharedButton)
    const sharedPanel = otherPage.getByRole('dialog', { name: 'Виды', exact: true })
    const group = sharedPanel.getByRole('region', { name: 'Общие виды вашей роли' })
    const request = otherPage.waitForRequest(/parcels\/all\?.*orderno=ORD/)
    await pressOn(otherPage, group.getByRole('button', { name: 'Неделя' }))
    const days = new URL((await request).url()).searchParams
    expect(Date.parse(days.get('date_to') ?? '') - Date.parse(days.get('date_from') ?? '')).toBe(
      6 * 86_400_000,
    )
    await expect(sharedButton).toHaveAccessibleName('Виды: Неделя')
    await pressOn(otherPage, sharedButton)
    await expect(sharedPanel.getByRole('button', { name: 'Переименовать' })).toHaveCount(0)
    await expect(sharedPanel.getByRole('button', { name: 'Открывать по умолчанию' })).toBeVisible()
    await context.close()
  },
)

test(
  'columns are hidden, moved and shown again by keyboard, and the address keeps the choice',
  variants,
  async ({ page, api }) => {
    await openSignedIn(page, api, '/offers')
    await expect(page.getByRole('columnheader').nth(3)).toBeVisible()
    const declaredHeaders = await headers(page)
    const [first = '', second = '', third = ''] = declaredHeaders
    await pressOn(page, opener(page, 'Columns'))
    const columns = panel(page, 'Columns')
    await tabTo(page, columns.getByRole('checkbox', { name: second, exact: true }))
    await page.keyboard.press('Space')
    await expect.poll(() => headers(page)).toEqual(declaredHeaders.filter((header) => header !== second))
    const down = columns.getByRole('button', { name: `Move ${first} down` })
    await tabTo(page, down, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await headers(page)).slice(0, 2)).toEqual([third, first])
    await expect(down, 'the focus stays on the moved column').toBeFocused()
    await expect(page).toHaveURL(/columns=/)
    await expectAccessibleLayout(page, 'the choice of columns', appearances)
    // On a phone a row is a card without a header row.
    await page.setViewportSize({ width: 1440, height: 900 })
    const chosenHeaders = await headers(page)
    await page.reload()
    await expect.poll(() => headers(page)).toEqual(chosenHeaders)
    await expect(page.getByRole('columnheader', { name: second, exact: true })).toHaveCount(0)

    await pressOn(page, opener(page, 'Columns'))
    await pressOn(page, columns.getByRole('button', { name: 'All columns in their order' }))
    await expect.poll(() => headers(page)).toEqual(declaredHeaders)
    await expect(page).not.toHaveURL(/columns=/)
    await page.goto(`${api.url}/offers?columns=nothing,constructor`)
    await expect.poll(() => headers(page), 'unknown columns').toEqual(declaredHeaders)
  },
)

test('the rows do not move when the buttons of views and columns load', async ({ page, api }) => {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) shifts.push((shift as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const { id } = await api.call<{ id: number }>('POST', '/api/views/', {
    name: 'A name that is longer than its button',
    address: '/streams?sort=name',
  })
  await openSignedIn(page, api, `/streams?sort=name&view_id=${id}`)
  await expect(opener(page)).toHaveAccessibleName('Views: A name that is longer than its button')
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.01)
})

test(
  'the views of a screen are the same with and without its first tab in the address',
  variants,
  async ({ page, api }) => {
    await openSignedIn(page, api, '/users?tab=users&sort=name')
    await saveView(page, 'By name')
    await expect(opener(page)).toHaveAccessibleName('Views: By name')
    await choose(page, 'Open by default')
    // The panel closes when the server has stored the default.
    await expect(panel(page)).toHaveCount(0)
    for (const address of ['/users', '/users?tab=users']) {
      await page.goto(`${api.url}${address}`)
      await expect(opener(page)).toHaveAccessibleName('Views: By name')
      await expect(page).toHaveURL(/\/users\?sort=name&view_id=\d+$/)
    }
    await choose(page, 'Delete')
    await pressOn(page, entry(page, 'Delete'))
    await expect(opener(page)).toHaveAccessibleName('Views')
  },
)

test('a screen without a tab in its address shows the tab that views leave out', async ({ page, api }) => {
  const { password } = await api.newPerson('tab-buyer')
  const buyer = await Api.signIn(api.url, 'tab-buyer', password)
  for (const [path, tab] of Object.entries(firstTabs)) {
    await openSignedIn(page, path === '/money' ? buyer : api, path)
    const selected = page.getByRole('main').getByRole('tab', { selected: true })
    await expect(selected, path).toHaveAttribute('id', new RegExp(`${tab}$`))
  }
})
