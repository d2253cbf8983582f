import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, firstAdmin, signIn, type Product } from '../../test/app.ts'
import { sendFile } from '../../test/files.ts'

let product: Product

beforeAll(async () => {
  product = await createTestApp()
  const admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
  const content = [
    'orderno,status,event_time,person,phone,address,town,barcode',
    'T/1 №,NEW,2026-11-19T10:00:00,Aziza,+998 (90) 123-45-67,Home 1,Buxoro,B1',
    'T/1 №,COMPLETE,2026-11-20T10:00:00,,,,,',
    'T2,NEW,2026-11-19T10:00:00,Nobody,,,,',
  ].join('\n')
  const answer = await sendFile(product.app, admin, '/api/admin/parcels/import/', { name: 'p.csv', content })
  if (answer.json<{ skipped: number }>().skipped > 0) throw new Error(answer.body)
})

afterAll(() => product.close())

const track = (orderno: string, phone: string, ip = '10.0.0.1') =>
  product.app.inject({
    url: `/api/track/${encodeURIComponent(orderno)}?phone=${phone}`,
    remoteAddress: ip,
  })

test('a receiver sees where the parcel is and was, and nothing of any person', async () => {
  const answer = await track('T/1 №', '4567')
  expect(answer.json()).toEqual({
    orderno: 'T/1 №',
    status: { code: 'DELIVERED', title: 'Доставлен', eventtime: '2026-11-20T10:00:00+05:00' },
    history: [
      { code: 'DELIVERED', title: 'Доставлен', eventtime: '2026-11-20T10:00:00+05:00' },
      { code: 'PENDING', title: 'Новый', eventtime: '2026-11-19T10:00:00+05:00' },
    ],
  })
  for (const personal of ['Aziza', '123', 'Home', 'Buxoro', 'B1']) expect(answer.body).not.toContain(personal)
})

test('wrong digits, a wrong number and a parcel without a phone cannot be told apart', async () => {
  const answers = [await track('T/1 №', '4568'), await track('T9', '4567'), await track('T2', '0000')]
  for (const answer of answers) {
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({
      detail: 'No parcel has this order number and these digits.',
      code: 'not_found',
    })
  }
  expect((await track('T/1 №', '')).statusCode).toBe(422)
  expect((await track('T/1 №', '45a7')).statusCode).toBe(422)
})

test('guessing slows down, from one address and from many', async () => {
  const guess = async (ip: (i: number) => string) => {
    const codes: number[] = []
    for (let i = 0; i < 25; i++) codes.push((await track('T/1 №', String(1000 + i), ip(i))).statusCode)
    return codes.filter((code) => code === 429).length
  }
  expect(await guess(() => '10.0.0.2')).toBeGreaterThan(5)
  expect(await guess((i) => `10.1.0.${i}`)).toBeGreaterThan(5)
  const blocked = await track('T/1 №', '4567', '10.2.0.1')
  expect([blocked.statusCode, Number(blocked.headers['retry-after'])]).toEqual([429, expect.any(Number)])
})
