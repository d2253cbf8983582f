import type { Locator, Page } from '@playwright/test'
import type { Api } from '../src/api.ts'
import { chooseIn, expect, openSigned, pressOn, tabTo, test, typeInto } from '../src/keyboard.ts'
import { sampleOf, variants } from '../src/extent.ts'
import { resourceScreens, type ResourceScreen } from '../src/resources.ts'

// Keys alone: no journey here presses a button of the mouse.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

interface Job extends Pick<ResourceScreen, 'path' | 'one' | 'required' | 'selects' | 'removable'> {
  /** Options to choose by name, where the first will not do. */
  named?: (api: Api) => Promise<Record<string, string>>
  /** What an edit changes; a select's value is another option. */
  changed?: { label: string; value: string }
}

const jobs: Job[] = [
  ...resourceScreens,
  {
    path: '/settings/courier',
    one: 'courier account',
    required: {
      Name: '',
      URL: 'https://home.courierexe.ru/api/',
      Login: 'desk',
      Password: 'a-password',
      User: '',
    },
    selects: ['User'],
    removable: true,
  },
  {
    path: '/leads?tab=templates',
    one: 'postback template',
    required: { Name: '', Stream: '', URL: 'https://tracker.example/?status={status}' },
    selects: ['Stream'],
    removable: true,
  },
  {
    path: '/users?tab=roles&view=access',
    one: 'role source access',
    required: { Role: '', Source: '' },
    selects: ['Role', 'Source'],
    removable: true,
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

/** A name that is nobody's yet, and the same for every other text that must be. */
const typed = (label: string, value: string, one: string) =>
  ['Name', 'Username', 'Code', 'Source name'].includes(label) ? `keyed ${one}` : value

const field = (dialog: Locator, label: string, isSelect: boolean) =>
  isSelect
    ? dialog.getByRole('combobox', { name: label, exact: true })
    : dialog.getByLabel(label, { exact: true })

async function fill(page: Page, dialog: Locator, job: Job, names: Record<string, string>) {
  for (const [label, value] of Object.entries(job.required)) {
    const isSelect = job.selects?.includes(label) ?? false
    const target = field(dialog, label, isSelect)
    if (isSelect) await chooseIn(page, target, names[label])
    else await typeInto(page, target, typed(label, value, job.one).replace(/ (?=.*@)/g, ''))
  }
}

/** Saves, and sees the form close by itself with the focus back where it came from. */
async function save(page: Page, dialog: Locator, back: Locator) {
  await pressOn(page, dialog.getByRole('button', { name: 'Save' }))
  await expect(dialog.getByRole('status').getByText(/ saved successfully\.$/)).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(back).toBeFocused()
}

for (const job of sampleOf(jobs)) {
  test(
    `${job.path}: made, refused, changed, left and deleted by keys alone`,
    variants,
    async ({ page, api }) => {
      const names = (await job.named?.(api)) ?? {}
      await openSigned(page, api, job.path)
      await expect(page.locator('table[aria-busy=true]')).toHaveCount(0)
      const opener = page.getByRole('button', { name: `New ${job.one}`, exact: true })
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

      const sought = names[first] ?? `keyed ${job.one}`
      if (!job.named) await typeInto(page, page.getByRole('main').getByRole('searchbox'), sought)
      else await chooseIn(page, page.getByRole('combobox', { name: 'Filter by role' }), sought)
      await expect(rows(page)).toHaveCount(1)
      await pressOn(page, row(page))
      await expect(dialog).toBeVisible()
      const { label, value } = job.changed ?? { label: 'Name', value: `keyed ${job.one}, changed` }
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
      if (!job.removable) {
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

test('the tabs of a page are gone through by arrows', async ({ page, api, desk }) => {
  for (const [path, tabs] of [
    ['/users', ['Users', 'Roles', 'Source credentials']],
    ['/settings/cpa-websites', ['Sources', 'Credentials']],
    ['/settings/statuses', ['Status types', 'Statuses', 'Source statuses']],
  ] as const) {
    await openSigned(page, api, path)
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    await tabTo(page, tab(tabs[0]))
    for (const name of tabs.slice(1)) {
      await page.keyboard.press('ArrowRight')
      await expect(tab(name)).toBeFocused()
      await expect(tab(name)).toHaveAttribute('aria-selected', 'true')
    }
    await page.keyboard.press('Home')
    await expect(page).toHaveURL(`${desk.url}${path}`)
  }
})

test('a deletion leaves the focus on the next row', async ({ page, api }) => {
  await openSigned(page, api, '/offers?sort=name')
  await expect(rows(page)).toHaveCount(10)
  const name = (await rows(page).nth(1).innerText()).split('\t')[0] ?? ''
  await pressOn(page, row(page))
  await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }))
  await expect(rows(page).first()).toContainText(name)
  await expect(rows(page).first()).toBeFocused()
})
