import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { sendFile } from '../../test/files.ts'
import { createUser, readId, readOwnId } from '../../test/people.ts'
import { createFiguresReader } from './notices.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})

afterAll(() => product.close())

test("the digest has the figures of the person's own report for its days, and zero for empty days", async () => {
  const { app, deps } = product
  const create = async (url: string, body: Record<string, unknown>) =>
    (await callApi(app, admin, 'POST', url, body)).json<{ id: number }>().id
  const source = await create('/api/admin/cpa-sources/', { name: 'One', url: 'https://one.example' })
  const roleId = await create('/api/admin/roles/', { name: 'Buyer', code: 'buyer', source_ids: [source] })
  const aziz = await createUser(app, admin, 'aziz', roleId)
  const userId = await readOwnId(app, aziz)
  const content = [
    'external_id,created_at,status,payout,stream',
    '1,2026-11-01,sold,0.10,Reels',
    '2,2026-11-01,sold,0.20,Reels',
    '3,2026-11-01,accepted,5,Reels',
    '4,2026-11-01,sold,7,Another',
    '5,2026-11-02,sold,9,Reels',
  ].join('\n')
  const url = '/api/admin/leads/import/'
  await sendFile(app, admin, url, { name: 'l.csv', content }, { source_id: String(source) })
  const stream = await readId(app, admin, '/api/admin/streams/?name=Reels')
  await callApi(app, admin, 'PUT', `/api/admin/streams/${stream}`, { user_id: userId })
  const figuresOf = createFiguresReader(deps)
  const person = { userId, roleId }
  const days = (from: string, to: string) => figuresOf(person, { from, to })
  expect(await days('2026-11-01', '2026-11-01')).toMatchObject({ leads: 3, sold: 2, profit: 0.3 })
  expect(await days('2026-11-01', '2026-11-02')).toMatchObject({ leads: 4, sold: 3, profit: 9.3 })
  expect(await days('2026-11-05', '2026-11-05')).toEqual(
    expect.objectContaining({ leads: 0, sold: 0, profit: 0, unit: '' }),
  )
  const otherContent = 'external_id,created_at,status,payout,stream,currency\n6,2026-11-02,sold,1,Reels,USD'
  await sendFile(app, admin, url, { name: 'm.csv', content: otherContent }, { source_id: String(source) })
  expect(await days('2026-11-02', '2026-11-02')).toMatchObject({ profit: 10, unit: 'USD + UZS' })
})
