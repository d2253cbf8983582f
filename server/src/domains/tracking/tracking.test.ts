import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signInAdmin, type Product } from '../../../test/app.ts'
import { sendFile } from '../../../test/files.ts'

let product: Product

beforeAll(async () => {
  product = await createTestApp()
  const admin = await signInAdmin(product.app)
  const content = [
    'orderno,status,event_time,person,phone,address,town,barcode',
    'T/1 №,NEW,2026-11-19T10:00:00,Aziza,+998 (90) 123-45-67,Home 1,Buxoro,B1',
    'T/1 №,COMPLETE,2026-11-20T10:00:00,,,,,',
    'T2,NEW,2026-11-19T10:00:00,Nobody,,,,',
    'T3,NEW,2026-11-19T10:00:00,Aziza,"+998 90 765-43-21, 90/111-22-33; 998935550011",,,',
    'SI4,NEW,2026-11-19T10:00:00,Aziza,+998901234567,,,',
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

test('tracking shows the statuses of a parcel and no personal data', async () => {
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

test('wrong digits, a wrong order number and a parcel without a phone get the same answer', async () => {
  const answers = [await track('T/1 №', '4568'), await track('T9', '4567'), await track('T2', '0000')]
  for (const answer of answers) {
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({
      detail: 'No parcel has this order number and these digits.',
      code: 'parcel_not_tracked',
    })
  }
  expect((await track('T/1 №', '')).statusCode).toBe(422)
  expect((await track('T/1 №', '45a7')).statusCode).toBe(422)
})

test('the digits of each phone number of the receiver find the parcel', async () => {
  for (const digits of ['4321', '2233', '0011'])
    expect((await track('T3', digits)).statusCode, digits).toBe(200)
  for (const digits of ['0090', '2111']) expect((await track('T3', digits)).statusCode, digits).toBe(404)
})

interface Guesses {
  /** Guesses that were not refused. */
  lookups: number
  /** A wait of a network takes at least a second, so on a slow machine more guesses are not refused. */
  seconds: number
}

/** Guesses the digits of one order. `ip` gives the address of each guess, `spelling` its spelling of the order number. */
async function guess(
  count: number,
  ip: (i: number) => string,
  spelling: (i: number) => string = () => 'T/1 №',
): Promise<Guesses> {
  const startedAt = performance.now()
  let lookups = 0
  for (let i = 0; i < count; i++)
    if ((await track(spelling(i), String(1000 + i), ip(i))).statusCode === 404) lookups += 1
  return { lookups, seconds: Math.floor((performance.now() - startedAt) / 1000) }
}

test('guesses of digits are limited by network, and the receiver still sees the parcel', async () => {
  const ofNetwork = await guess(30, () => '10.0.0.2')
  expect(ofNetwork.lookups).toBeLessThanOrEqual(6 + ofNetwork.seconds)
  const ofFourNetworks = await guess(60, (i) => `2001:db8:0:${i % 4}::${i}`)
  expect(ofFourNetworks.lookups).toBeLessThanOrEqual(24 + 4 * ofFourNetworks.seconds)
  expect((await track('T/1 №', '4567', '10.2.0.1')).statusCode).toBe(200)
})

test('guesses with any spelling that finds the order count together', async () => {
  const findsOrder = async (spelling: string, i: number) =>
    (await track(spelling, '4567', `10.5.0.${i}`)).statusCode === 200
  const spellings = ['SI4', 'si4', 'ſI4', 'Sı4', 'ſı4', 'Sİ4', 'ſİ4']
  const isFound = await Promise.all(spellings.map(findsOrder))
  const foundSpellings = spellings.filter((_, i) => isFound[i])
  expect(foundSpellings).toEqual(expect.arrayContaining(['SI4', 'si4']))
  const spelling = (i: number) => foundSpellings[i % foundSpellings.length] ?? ''
  const ofNetwork = await guess(30, () => '10.5.1.1', spelling)
  expect(ofNetwork.lookups).toBeLessThanOrEqual(6 + ofNetwork.seconds)
})

test('successful look-ups do not reset the count of wrong guesses', async () => {
  const startedAt = performance.now()
  let attempts = 0
  for (let i = 0; i < 40; i++) {
    await track('T/1 №', '4567', '10.0.0.3')
    if ((await track('T/1 №', String(2000 + i), '10.0.0.3')).statusCode === 404) attempts += 1
  }
  expect(attempts).toBeLessThanOrEqual(6 + Math.floor((performance.now() - startedAt) / 1000))
})

test('guesses from many networks are limited too, and a guessing network waits more than an hour', async () => {
  await product.deps.pool.query('delete from sign_in_failures')
  const ofManyNetworks = await guess(80, (i) => `10.3.${i}.1`)
  expect(ofManyNetworks.lookups).toBeLessThanOrEqual(51 + ofManyNetworks.seconds)
  await product.deps.pool.query('delete from sign_in_failures')
  for (let i = 0; i < 18; i++) {
    await track('T/1 №', String(3000 + i), '10.0.0.4')
    await product.deps.pool.query('update sign_in_failures set blocked_until = now()')
  }
  await track('T/1 №', '3999', '10.0.0.4')
  const answer = await track('T/1 №', '4567', '10.0.0.4')
  expect(answer.statusCode).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3600)
})
