import type { Locator, Page } from '@playwright/test'

/** A resource's screen as the specification describes it, and a row that fills its form. */
export interface ResourceScreen {
  path: string
  /** The list's own call below the host. */
  list: string
  one: string
  many: string
  /** Required fields on create: label and value; a select's value is its option. */
  required: Record<string, string>
  /** Those of `required` that are selects. */
  selects?: string[]
  /** Required on create only. */
  createOnly?: string[]
  size: 10 | 20
  /** Where a failed save speaks. */
  failure: 'text' | 'thrown' | 'alert'
  update: 'PUT' | 'POST'
  removable: boolean
}

const usual = { size: 10, failure: 'text', update: 'PUT', removable: true } as const
const status = { size: 20, failure: 'thrown', update: 'POST', removable: true } as const

export const resourceScreens: ResourceScreen[] = [
  {
    ...usual,
    path: '/users',
    list: '/api/admin/users/',
    one: 'user',
    many: 'users',
    required: {
      Username: 'aziz',
      Name: 'Aziz',
      Email: 'aziz@example.org',
      Password: 'a-long-password',
      Role: 'Buyer',
    },
    selects: ['Role'],
    createOnly: ['Password'],
    removable: false,
  },
  {
    ...usual,
    path: '/users?tab=roles',
    list: '/api/admin/roles/',
    one: 'role',
    many: 'roles',
    required: { Name: 'Seller', Code: 'seller' },
  },
  {
    ...usual,
    path: '/users?tab=source-credentials',
    list: '/api/admin/source-credentials/',
    one: 'source credential',
    many: 'source credentials',
    required: { Name: 'Desk', Password: 'a-password', User: 'Buyer', Source: 'Sotuvchi' },
    selects: ['User', 'Source'],
    createOnly: ['Password'],
  },
  {
    ...usual,
    path: '/settings/cpa-websites',
    list: '/api/admin/cpa-sources/',
    one: 'CPA source',
    many: 'CPA sources',
    required: { Name: 'Network', URL: 'https://network.example' },
    failure: 'thrown',
  },
  {
    ...usual,
    path: '/settings/cpa-websites?tab=credentials',
    list: '/api/admin/cpa-websites/',
    one: 'CPA credential',
    many: 'CPA credentials',
    required: { Name: 'Desk', Source: 'Sotuvchi' },
    selects: ['Source'],
    failure: 'thrown',
  },
  {
    ...status,
    path: '/settings/statuses',
    list: '/api/admin/status-types/',
    one: 'status type',
    many: 'status types',
    required: { Name: 'Waiting' },
  },
  {
    ...status,
    path: '/settings/statuses?tab=statuses',
    list: '/api/admin/statuses/',
    one: 'status',
    many: 'statuses',
    required: { Name: 'Called', Type: 'Sold' },
    selects: ['Type'],
  },
  {
    ...status,
    path: '/settings/statuses?tab=source-statuses',
    list: '/api/admin/source-statuses/',
    one: 'source status',
    many: 'source statuses',
    required: { Name: 'Called there', 'Source name': 'called', Status: 'Paid', Source: 'Sotuvchi' },
    selects: ['Status', 'Source'],
  },
  {
    ...usual,
    path: '/offers',
    list: '/api/admin/offers/',
    one: 'offer',
    many: 'offers',
    required: {
      Name: 'Lamp',
      Price: '199000',
      'Affiliate fee': '40000.5',
      'Store name': 'Home',
      Status: 'Paid',
      Source: 'Sotuvchi',
    },
    selects: ['Status', 'Source'],
    failure: 'alert',
    update: 'POST',
  },
  {
    ...usual,
    path: '/streams',
    list: '/api/admin/streams/',
    one: 'stream',
    many: 'streams',
    required: { Name: 'Winter', URL: 'https://stream.example', Source: 'Sotuvchi', User: 'Buyer' },
    selects: ['Source', 'User'],
    failure: 'alert',
  },
]

/** Fills the required fields of an open form. */
export async function fillRequired(dialog: Locator, screen: ResourceScreen): Promise<void> {
  for (const [label, value] of Object.entries(screen.required)) {
    if (screen.selects?.includes(label)) {
      await dialog.getByRole('combobox', { name: label, exact: true }).click()
      await dialog.page().getByRole('option', { name: value, exact: true }).click()
    } else await dialog.getByLabel(label, { exact: true }).fill(value)
  }
}

/** Opens the form of the first row. */
export async function openFirst(page: Page): Promise<Locator> {
  await page.locator('tr[data-key]').first().getByRole('cell').last().click()
  return page.getByRole('dialog')
}
