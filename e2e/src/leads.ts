import type { Page, WorkerFixture } from '@playwright/test'
import type { Api } from './api.ts'
import { expect } from './test.ts'

/** Leads with known figures: two sources, two days, and three streams, one of a buyer. */
export interface KnownLeads {
  alpha: number
  beta: number
  buyer: { username: string; password: string }
}

/** The day is a day of November 2026. The status is the source status. */
type Row = [id: string, day: number, status: string, payout: number, offer: string, stream: string]

const alphaRows: Row[] = [
  ...createRows(4, (i): Row => [`A-1${i}`, 10, 'sold', 1000 + i, 'Kettle', 'Autumn']),
  ...createRows(3, (i): Row => [`A-2${i}`, 10, 'hold', 200, 'Kettle', 'Winter']),
  ...createRows(2, (i): Row => [`A-3${i}`, 10, 'cancelled', 300, 'Lamp', 'Winter']),
  ...createRows(3, (i): Row => [`A-4${i}`, 11, 'mystery', 400, 'Lamp', 'Autumn']),
  ...createRows(2, (i): Row => [`A-5${i}`, 11, 'sold', 500.25, '', '']),
  ['A-60', 11, 'riddle', 600, 'Lamp', 'Autumn'],
]
const betaRows: Row[] = createRows(5, (i): Row => [`B-1${i}`, 10, 'sold', 50, 'Bench', 'Spring'])

function createRows(count: number, make: (i: number) => Row): Row[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

/** Imports the leads. Their figures were counted by hand. */
async function importKnownLeads(api: Api): Promise<KnownLeads> {
  const [alpha, beta] = [await newSource(api, 'Alpha'), await newSource(api, 'Beta')]
  await importRows(api, alpha, alphaRows)
  await importRows(api, beta, betaRows)
  const username = 'buyer'
  const { id: user_id, password } = await api.newPerson(username, [alpha])
  const { items } = await api.call<{ items: { id: number }[] }>('GET', '/api/admin/streams/?name=Autumn')
  await api.call('PUT', `/api/admin/streams/${items[0]?.id}`, { user_id })
  return { alpha, beta, buyer: { username, password } }
}

export async function newSource(api: Api, name: string): Promise<number> {
  const url = `https://${name.toLowerCase()}.example`
  return (await api.call<{ id: number }>('POST', '/api/admin/cpa-sources/', { name, url })).id
}

/** Imports leads of a source. */
export async function importRows(api: Api, source: number, rows: readonly Row[]): Promise<void> {
  const lines = rows.map(([id, day, status, payout, offer, stream]) =>
    [id, `2026-11-${day}T10:00:00+05:00`, status, payout, offer, stream].join(','),
  )
  const content = ['external_id,created_at,status,payout,offer,stream', ...lines].join('\n')
  const form = new FormData()
  form.set('source_id', String(source))
  form.set('file', new File([content], 'leads.csv', { type: 'text/csv' }))
  const { imported } = await api.call<{ imported: number }>('POST', '/api/admin/leads/import/', form)
  expect(imported).toBe(rows.length)
}

/** Expects the total of the leads list. */
export async function expectLeads(page: Page, count: number): Promise<void> {
  const matching = new RegExp(`из\\s${count}\\sзаписей`)
  await expect(page.getByText(matching)).toBeVisible()
  await expect(page.locator('table[aria-busy=true]')).toHaveCount(0)
}

/** Chooses an option of a select in the toolbar. */
export async function chooseOption(page: Page, select: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: select }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** The fixture of a worker that imports the known leads once. */
export const knownLeads: [WorkerFixture<KnownLeads, { api: Api }>, { scope: 'worker' }] = [
  async ({ api }, use) => use(await importKnownLeads(api)),
  { scope: 'worker' },
]
