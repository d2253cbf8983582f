import type { Locator, Page } from '@playwright/test'

/** The screen of a resource as specified, and values for its form. */
export interface ResourceScreen {
  path: string
  /** The list's own call below the host. */
  list: string
  singular: string
  plural: string
  /** Required fields of the create form by label. The value of a select is its option. */
  required: Record<string, string>
  /** Those of `required` that are selects. */
  selects?: string[]
  /** Required on create only. */
  createOnly?: string[]
  pageSize: 10 | 20
  /** Where the error of a failed save is shown. */
  failure: 'text' | 'thrown' | 'alert'
  update: 'PUT' | 'POST'
  isDeletable: boolean
}

const defaults = { pageSize: 10, failure: 'text', update: 'PUT', isDeletable: true } as const
const status = { pageSize: 20, failure: 'thrown', update: 'POST', isDeletable: true } as const

export const resourceScreens: ResourceScreen[] = [
  {
    ...defaults,
    path: '/users',
    list: '/api/admin/users/',
    singular: 'user',
    plural: 'users',
    required: {
      Username: 'aziz',
      Name: 'Aziz',
      Email: 'aziz@example.org',
      Password: 'a-long-password',
      Role: 'Buyer',
    },
    selects: ['Role'],
    createOnly: ['Password'],
    isDeletable: false,
  },
  {
    ...defaults,
    path: '/users?tab=roles',
    list: '/api/admin/roles/',
    singular: 'role',
    plural: 'roles',
    required: { Name: 'Seller', Code: 'seller' },
  },
  {
    ...defaults,
    path: '/users?tab=source-credentials',
    list: '/api/admin/source-credentials/',
    singular: 'source credential',
    plural: 'source credentials',
    required: { Name: 'Desk', Password: 'a-password', User: 'Buyer', Source: 'Sotuvchi' },
    selects: ['User', 'Source'],
    createOnly: ['Password'],
  },
  {
    ...defaults,
    path: '/settings/cpa-websites',
    list: '/api/admin/cpa-sources/',
    singular: 'CPA source',
    plural: 'CPA sources',
    required: { Name: 'Network', URL: 'https://network.example' },
    failure: 'thrown',
  },
  {
    ...defaults,
    path: '/settings/cpa-websites?tab=credentials',
    list: '/api/admin/cpa-websites/',
    singular: 'CPA credential',
    plural: 'CPA credentials',
    required: { Name: 'Desk', Source: 'Sotuvchi' },
    selects: ['Source'],
    failure: 'thrown',
  },
  {
    ...status,
    path: '/settings/statuses',
    list: '/api/admin/status-types/',
    singular: 'status type',
    plural: 'status types',
    required: { Name: 'Waiting' },
  },
  {
    ...status,
    path: '/settings/statuses?tab=statuses',
    list: '/api/admin/statuses/',
    singular: 'status',
    plural: 'statuses',
    required: { Name: 'Called', Type: 'Sold' },
    selects: ['Type'],
  },
  {
    ...status,
    path: '/settings/statuses?tab=source-statuses',
    list: '/api/admin/source-statuses/',
    singular: 'source status',
    plural: 'source statuses',
    required: { Name: 'Called there', 'Source name': 'called', Status: 'Paid', Source: 'Sotuvchi' },
    selects: ['Status', 'Source'],
  },
  {
    ...defaults,
    path: '/offers',
    list: '/api/admin/offers/',
    singular: 'offer',
    plural: 'offers',
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
    ...defaults,
    path: '/streams',
    list: '/api/admin/streams/',
    singular: 'stream',
    plural: 'streams',
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
