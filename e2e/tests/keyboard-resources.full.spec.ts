import type { Locator, Page } from '@playwright/test'
import type { Api } from '../src/api.ts'
import { selectSample, variants } from '../src/extent.ts'
import { chooseIn, expect, openSignedIn, pressOn, tabTo, test, typeInto } from '../src/keyboard.ts'
import { resourceScreens, type ResourceScreen } from '../src/resources.ts'

// No test in this file presses a mouse button.

interface Job extends Pick<ResourceScreen, 'path' | 'singular' | 'required' | 'selects' | 'isDeletable'> {
  /** Options to choose by name, if the first option does not fit. */
  named?: (api: Api) => Promise<Record<string, string>>
  /** What an edit changes; a select's value is another option. */
  changed?: { label: string; value: string }
}

const jobs: Job[] = [
  ...resourceScreens,
  {
    path: '/settings/courier',
    singular: 'courier account',
    required: {
      Name: '',
      URL: 'https://home.courierexe.ru/api/',
      Login: 'desk',
      Password: 'a-password',
      User: '',
    },
    selects: ['User'],
    isDeletable: true,
  },
  {
    path: '/leads?tab=templates',
    singular: 'postback template',
    required: { Name: '', Stream: '', URL: 'https://tracker.example/?status={status}' },
    selects: ['Stream'],
    isDeletable: true,
  },
  {
    path: '/users?tab=roles&view=access',
    singular: 'role source access',
    required: { Role: '', Source: '' },
    selects: ['Role', 'Source'],
    isDeletable: true,
    async named(api) {
      await api.call('POST', '/api/admin/roles/', { name: 'Ключник', code: 'key-holder', source_ids: [] })
      const { items } = await api.call<{ items: { name: string }[] }>(
        'GET',
        '/api/admin/cpa-sources/?sort=name',
      )
      return { Role: 'Ключник', Source: items[0]?.name ?? '', other: items[1]?.name ?? '' }
    },
    changed: { label: 'Source', value: 'other' },
  },
]

const rows = (page: Page) => page.locator('tr[data-key]')
const row = (page: Page) => page.locator('tr[data-key][tabindex="0"]')

/** A unique name; also used for every other text that must be unique. */
const buildValue = (label: string, value: string, uniquePart: string) =>
  ['Name', 'Username', 'Code', 'Source name'].includes(label) ? `keyed ${uniquePart}` : value

const field = (dialog: Locator, label: string, isSelect: boolean) =>
  isSelect
    ? dialog.getByRole('combobox', { name: label, exact: true })
    : dialog.getByLabel(label, { exact: true })

async function fill(page: Page, dialog: Locator, job: Job, names: Record<string, string>) {
  for (const [label, value] of Object.entries(job.required)) {
    const isSelect = job.selects?.includes(label) ?? false
    const target = field(dialog, label, isSelect)
    if (isSelect) await chooseIn(page, target, names[label])
    else await typeInto(page, target, buildValue(label, value, job.singular).replace(/ (?=.*@)/g, ''))
  }
}

/** Saves and checks that the form closes by itself and returns the focus. */
async function save(page: Page, dialog: Locator, back: Locator) {
  await pressOn(page, dialog.getByRole('button', { name: 'Save' }))
  await expect(dialog.getByRole('status').getByText(/ saved successfully\.$/)).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(back).toBeFocused()
}

for (const job of selectSample(jobs)) {
  test(
    `${job.path}: a row is created, refused, changed and deleted by keyboard alone`,
    variants,
    async ({ page, api }) => {
      const names = (await job.named?.(api)) ?? {}
      await openSignedIn(page, api, job.path)
      await expect(page.locator('table[aria-busy=true]')).toHaveCount(0)
      const opener = page.getByRole('button', { name: `New ${job.singular}`, exact: true })
      const dialog = page.getByRole('dialog')
      const labels = Object.keys(job.required)
      const first = labels[0] ?? ''

      await pressOn(page, opener)
      const firstField = field(dialog, first, job.selects?.includes(first) ?? false)
      await expect(firstField).toBeFocused()
      await pressOn(page, dialog.getByRole('button', { name: 'Save' }))
      for (const label of labels)
        await expect(dialog.getByText(`${label} is required`, { exact: true })).toBeVisible()
      await expect(firstField, 'the first field that is wrong').toBeFocused()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(opener).toBeFocused()

      await page.keyboard.press('Enter')
      await fill(page, dialog, job, names)
      await save(page, dialog, opener)

      const rowName = names[first] ?? `keyed ${job.singular}`
      if (!job.named) await typeInto(page, page.getByRole('main').getByRole('searchbox'), rowName)
      else await chooseIn(page, page.getByRole('combobox', { name: 'Filter by role' }), rowName)
      await expect(rows(page)).toHaveCount(1)
      await pressOn(page, row(page))
      await expect(dialog).toBeVisible()
      const { label, value } = job.changed ?? { label: 'Name', value: `keyed ${job.singular}, changed` }
      if (job.changed) await chooseIn(page, field(dialog, label, true), names[value])
      else await typeInto(page, field(dialog, label, false), value)
      await save(page, dialog, row(page))
      await expect(row(page)).toContainText(names[value] ?? value)
      await page.keyboard.press(' ')
      await expect(dialog).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(row(page)).toBeFocused()

      await page.keyboard.press('Enter')
      if (!job.isDeletable) {
        await pressOn(page, dialog.getByRole('button', { name: 'Deactivate' }))
        await expect(dialog).toHaveCount(0)
        await expect(row(page)).toBeFocused()
        await expect(row(page)).toContainText('Inactive')
        return
      }
      const question = page.getByRole('alertdialog')
      await pressOn(page, dialog.getByRole('button', { name: 'Delete' }))
      await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(question).toHaveCount(0)
      await expect(dialog.getByRole('button', { name: 'Delete' })).toBeFocused()
      await page.keyboard.press('Enter')
      await pressOn(page, question.getByRole('button', { name: 'Delete' }))
      await expect(dialog).toHaveCount(0)
      await expect(rows(page)).toHaveCount(0)
    },
  )
}

test('the arrow keys move through the tabs of a page', async ({ page, api, product }) => {
  for (const [path, tabs] of [
    ['/users', ['Users', 'Roles', 'Source credentials']],
    ['/settings/cpa-websites', ['Sources', 'Credentials']],
    ['/settings/statuses', ['Status types', 'Statuses', 'Source statuses']],
  ] as const) {
    await openSignedIn(page, api, path)
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    await tabTo(page, tab(tabs[0]))
    for (const name of tabs.slice(1)) {
      await page.keyboard.press('ArrowRight')
      await expect(tab(name)).toBeFocused()
      await expect(tab(name)).toHaveAttribute('aria-selected', 'true')
    }
    await page.keyboard.press('Home')
    await expect(page).toHaveURL(`${product.url}${path}`)
  }
})

/** Deletes the row that Tab reaches. */
async function deleteRow(page: Page) {
  await pressOn(page, row(page))
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }))
}

test('a deletion moves the focus to the next row', async ({ page, api }) => {
  await openSignedIn(page, api, '/offers?sort=name')
  await expect(rows(page)).toHaveCount(10)
  const name = (await rows(page).nth(1).innerText()).split('\t')[0] ?? ''
  await deleteRow(page)
  await expect(rows(page).first()).toContainText(name)
  await expect(rows(page).first()).toBeFocused()
})

test('the deletion of the only row of the last page moves the focus to the page before, and of the only row of a list to its head', async ({
  page,
  api,
}) => {
  for (const name of ['Last row A', 'Last row B'])
    await api.call('POST', '/api/admin/status-types/', { name })
  await openSignedIn(page, api, '/settings/statuses?search=Last%20row&sort=name&size=1&page=2')
  await expect(rows(page)).toContainText('Last row B')
  await deleteRow(page)
  await expect(rows(page)).toContainText('Last row A')
  await expect(rows(page)).toBeFocused()
  await deleteRow(page)
  await expect(rows(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Name', exact: true })).toBeFocused()
})
