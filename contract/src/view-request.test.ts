import { expect, test } from 'vitest'
import { findViewList, readListRequest } from './view-request.ts'
import { viewScreens } from './view-screens.ts'

const read = (address: string, isAdmin = true) => readListRequest(address, { isAdmin, today: '2026-11-25' })

test.each([
  [
    '/leads?period=last_7_days&status_id=3',
    { start_date: '2026-11-19', end_date: '2026-11-25', status_id: '3' },
  ],
  ['/leads?from=2026-01-01&period=today&to=2026-01-31', { start_date: '2026-01-01', end_date: '2026-01-31' }],
  ['/leads?columns=status&size=50&sort=-payout', { sort: '-payout' }],
  ['/leads?format=csv&limit=1&per_page=1&skip=5', {}],
  ['/streams?search=insta', { name: 'insta' }],
  ['/offers?search=insta', { search: 'insta' }],
  ['/settlements?tab=differences', { status: 'open' }],
  ['/settlements?status=any&tab=differences', {}],
  ['/settlements?status=resolved&tab=differences', { status: 'resolved' }],
  ['/parcels', { date_from: '2026-11-01', date_to: '2026-11-30' }],
  ['/parcels?period=any&search=A1', { orderno: 'A1' }],
  ['/parcels?problem=late', { problem: 'late' }],
  ['/parcels?unsettled=3', { unsettled_days: 3 }],
  ['/parcels?pay_type=GOLD&period=yesterday', { date_from: '2026-11-24', date_to: '2026-11-24' }],
])('the request of %s equals the request of its screen', (address, query) => {
  expect(read(address)?.query).toEqual(query)
})

test('an admin and another person have the calls of their own screens', () => {
  expect([read('/leads')?.call.id, read('/leads', false)?.call.id]).toEqual(['leads.list', 'leads.own'])
  expect(read('/statistics?tab=offers', false)?.call.id).toBe('report.user.offers')
  expect(read('/parcels', false)?.call.id).toBe('parcels.all')
  expect(read('/leads?tab=postbacks', false)).toBeNull()
  expect(read('/offers', false)).toBeNull()
})

test('no screen gives a call of admins to people who are not admins, and each call reads a list', () => {
  for (const [name, { admin, person }] of Object.entries(viewScreens)) {
    expect(person?.guard, name).not.toBe('admin')
    for (const call of [admin, person]) expect(call?.method ?? 'GET', name).toBe('GET')
  }
})

test.each([
  '/explore',
  '/money',
  '/profile',
  '/settlements?act_id=1&tab=acts',
  '/settlements?at=2026-11-01&tab=accounts',
  '/constructor',
])('%s has no list that can be sent', (address) => {
  expect(findViewList(address, true)).toBeNull()
})
