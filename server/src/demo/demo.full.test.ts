import type { ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { LeadWithHistory } from '@karvon/contract/leads/leads.ts'
import { parcelCodes, type Parcel } from '@karvon/contract/parcels/parcels.ts'
import { normaliseViewAddress } from '@karvon/contract/saved-views/address.ts'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import type { Figures } from '@karvon/contract/reports/reports.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  callApi,
  createTestApp,
  firstAdmin,
  signIn,
  signInAdmin,
  type Product,
  type Session,
} from '../../test/app.ts'
import { now } from '../../test/moment.ts'
import { fillDatabaseWithDemo } from '../app/demo.ts'
import type { DemoParts } from './demo.parts.ts'
import { fillDemo } from './demo.fill.ts'
import type { SignIn } from './demo.references.ts'

const zone = 'Asia/Tashkent'
let product: Product
let admin: Session
let signIns: SignIn[]

beforeAll(async () => {
  product = await createTestApp()
  signIns = await fillDatabaseWithDemo(product.deps.db, zone)
  admin = await signInAdmin(product.app)
})

afterAll(() => product.close())

async function get<T>(as: Session, url: string): Promise<T> {
  const answer = await callApi(product.app, as, 'GET', url)
  expect(answer.statusCode).toBe(200)
  return answer.json<T>()
}

type Parcels = Page<Parcel> & { meta: { status_counts: Record<string, number> } }
const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now())

test('the demo has parcels of the last 50 days in every status, and none of tomorrow', async () => {
  const firstDay = new Date(Date.parse(`${today}T00:00:00Z`) - 50 * 86_400_000).toISOString().slice(0, 10)
  const { meta } = await get<Parcels>(admin, `/api/parcel/parcels/all?date_from=${firstDay}&date_to=${today}`)
  expect(meta.total).toBe(1300)
  expect(meta.filtered_total).toBeGreaterThan(100)
  for (const code of parcelCodes) expect(meta.status_counts[code]).toBeGreaterThan(0)
  const tomorrow = new Date(Date.parse(`${today}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  const later = await get<Parcels>(admin, `/api/parcel/parcels/all?date_from=${tomorrow}`)
  expect(later.meta.filtered_total).toBe(0)
})

test('the demo has leads in every report column up to today, with their histories', async () => {
  const { items, meta } = await get<Page<{ date: string }> & { meta: { totals: Figures } }>(
    admin,
    '/api/admin/report/daily',
  )
  expect(meta.totals.leads).toBe(4000)
  for (const column of [
    'accepted',
    'cancel',
    'recall',
    'send',
    'sold',
    'returned',
    'hold',
    'profit',
  ] as const)
    expect(meta.totals[column]).toBeGreaterThan(0)
  expect(items[0]?.date).toBe(today)
  const [soldLead] = (await get<Page<{ id: number }>>(admin, '/api/admin/leads/?column=sold')).items
  const lead = await get<LeadWithHistory>(admin, `/api/admin/leads/${soldLead?.id}`)
  expect(lead.history.map(({ source_status }) => source_status)[0]).toBe('delivered')
  expect(lead.history.length).toBeGreaterThan(1)
})

test('the people of the demo sign in and see their own rows', async () => {
  expect(signIns.map(({ username }) => username)).toEqual(['aziz', 'malika', 'olcha'])
  for (const { username, password } of signIns) {
    const person = await signIn(product.app, username, password)
    const parcels = await get<Parcels>(person, '/api/parcel/parcels/all')
    expect(parcels.meta.total).toBeGreaterThan(50)
    expect(parcels.meta.total).toBeLessThan(1300)
    const report = await get<Page<unknown> & { meta: { totals: Figures } }>(person, '/api/user/report/daily')
    if (username === 'olcha') expect(report.meta.totals.leads).toBe(0)
    else expect(report.meta.totals.leads).toBeGreaterThan(100)
  }
})

test('leads of the demo have campaigns, one of which is weaker than the others', async () => {
  const { items } = await get<ExploreAnswer>(
    admin,
    '/api/admin/explore?rows=sub1&metrics=leads,approve_rate&period=all&top_rows=100',
  )
  const of = (key: string | null) => items.find(({ row }) => row.kind === 'value' && row.key === key)?.metrics
  const noneMetrics = items.find(({ row }) => row.kind === 'none')?.metrics
  expect(of('fb_uz_17')?.leads).toBeGreaterThan(20)
  expect(of('fb_uz_17')?.approve_rate).toBeLessThan(of('fb_uz_12')?.approve_rate ?? 0)
  expect(noneMetrics?.leads).toBeGreaterThan(0)
  expect(noneMetrics?.leads).toBeLessThan(400)
  const { meta } = await get<Page<unknown>>(admin, '/api/admin/leads/?sub2=video_3&sub3=feed')
  expect(meta.filtered_total).toBeGreaterThan(50)
})

test('the demo has a scheduled view of Explore and one of a list, which its buyers can open', async () => {
  const { items } = await get<Page<SavedView>>(admin, '/api/views/')
  expect(items.map(({ name, screen }) => [name, screen])).toEqual([
    ['Campaigns of the week', '/explore'],
    ['Leads on hold', '/leads'],
  ])
  for (const { schedule, shared_role_ids: sharedRoleIds, address } of items) {
    expect(schedule).toMatchObject({ includes_roles: true, next_at: expect.any(String) as string })
    expect(sharedRoleIds).toHaveLength(2)
    expect(normaliseViewAddress(address)).toBe(address)
  }
  const aziz = signIns.find(({ username }) => username === 'aziz')
  const buyer = await signIn(product.app, 'aziz', aziz?.password ?? '')
  expect((await get<Page<SavedView>>(buyer, '/api/views/')).items).toHaveLength(2)
  const leads = await get<Page<unknown>>(buyer, '/api/user/leads/?column=hold')
  expect(leads.meta.filtered_total).toBeGreaterThan(0)
})

test('the newest offers of the demo are those of the drawing, with a status of their own type', async () => {
  const { items, meta } = await get<Page<{ name: string; price: number; status: { name: string } }>>(
    admin,
    '/api/admin/offers/',
  )
  expect(meta.total).toBe(110)
  expect(items[0]).toMatchObject({ name: 'Smart soat X9', price: 149_000, status: { name: 'Active' } })
})

test('the demo adds nothing to a database that has been used', async () => {
  expect(await fillDatabaseWithDemo(product.deps.db, zone)).toEqual([])
  expect((await get<Parcels>(admin, '/api/parcel/parcels/all')).meta.total).toBe(1300)
})

test('a demo that was interrupted leaves nothing, and the next start completes it', async () => {
  const otherProduct = await createTestApp()
  const failingParts: DemoParts = {
    seedDefaultMappings: async () => {},
    scheduleView: async () => {},
    ingestLeads: async () => {},
    storeParcels: () => Promise.reject(new Error('cut off')),
  }
  await expect(fillDemo(otherProduct.deps.db, { parts: failingParts, timeZone: zone })).rejects.toThrow(
    'cut off',
  )
  const remainingUsers = await otherProduct.deps.db.selectFrom('users').select('username').execute()
  expect(remainingUsers).toEqual([{ username: firstAdmin.username }])
  const signInsOfStart = await fillDatabaseWithDemo(otherProduct.deps.db, zone)
  expect(signInsOfStart).toHaveLength(3)
  await otherProduct.close()
})

test('the demo has parcels of the current month on its second day too', async () => {
  const otherProduct = await createTestApp()
  const days: string[] = []
  const parts: DemoParts = {
    seedDefaultMappings: async () => {},
    scheduleView: async () => {},
    ingestLeads: async () => {},
    storeParcels: async (_trx, parcels) => void days.push(...parcels.map(({ day }) => day)),
  }
  // 02:00 on the first day of a month in Tashkent; in UTC it is still the previous month.
  await fillDemo(otherProduct.deps.db, { parts, timeZone: zone, at: new Date('2026-11-30T21:00:00Z') })
  expect(days.filter((day) => day === '2026-12-01').length).toBeGreaterThan(50)
  expect(days.every((day) => day <= '2026-12-01')).toBe(true)
  await otherProduct.close()
})
