import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { expect, test } from 'vitest'
import { keyTransactions, parseTransactions, parseWithdrawals } from './connectors.parse.money.ts'

const list = { url: '', items: '', paging: { by: 'none' as const } }
const transactions = {
  ...list,
  fields: {
    extra_id: 'id',
    amount: 'sum',
    type: 'type',
    target_type: 'of',
    target_id: 'of_id',
    comment: 'note',
    created_at: 'at',
  },
  order_target_types: ['order'],
  withdrawal_target_types: ['withdraw'],
}
const withdrawals = {
  ...list,
  fields: { extra_id: 'id', account: 'card', amount: 'sum', status: 'state', created_at: 'at' },
  paid_statuses: ['paid'],
}
const at = '2026-11-20T10:00:00Z'
const read = (items: unknown[], description: ConnectorDescription = {}) =>
  parseTransactions(description, transactions, items)

test('a transaction has a signed amount and what it concerns', () => {
  const rows = [
    { id: 1, sum: '-12.50', type: 'debit', of: 'order', of_id: 7, at },
    { id: 2, sum: 10, of: 'withdraw', of_id: 8, at },
    { id: 3, sum: 5, of: 'bonus', of_id: 9, at },
    { id: 4, sum: 5, of: 'order', at },
  ]
  expect(read(rows).rows).toMatchObject([
    { extra_id: '1', amount: '-12.50', type: 'debit', target_kind: 'order', target_id: '7' },
    { amount: '10.00', target_kind: 'withdrawal', target_id: '8' },
    { amount: '5.00', target_kind: 'other' },
    { target_kind: 'other', target_id: null },
  ])
  expect(read([{ sum: -1250, at }], { money: { divisor: 100 } }).rows).toMatchObject([{ amount: '-12.50' }])
  expect(read([{ at }, { sum: 'many', at }]).problems).toEqual(['sum is missing', 'sum is not a number'])
})

test('an amount that may be one of thousands is a problem, and other decimals are rounded', () => {
  const rows = ['25,000', '-125,500', '25,0000', '0,125', '25000,000', '25.000'].map((sum) => ({ sum, at }))
  const { rows: readRows, problems } = read(rows)
  expect(readRows.map(({ amount }) => amount)).toEqual(['25.00', '0.13', '25000.00', '25.00'])
  expect(problems).toEqual(['sum is not a number', 'sum is not a number'])
})

test('the types and statuses of the description are found in any letter case', () => {
  const rows = ['Order', 'WITHDRAW'].map((of) => ({ sum: 1, of, of_id: 7, at }))
  expect(read(rows).rows.map(({ target_kind }) => target_kind)).toEqual(['order', 'withdrawal'])
  const states = ['Paid', ' PAID ', 'unpaid'].map((state) => ({ sum: 1, state, at }))
  const paid = parseWithdrawals({}, withdrawals, states).rows.map(({ is_paid }) => is_paid)
  expect(paid).toEqual([true, true, false])
})

test('a withdrawal without a readable status is a problem, and the others are read', () => {
  const states = ['paid', undefined, 'x'.repeat(101), '\0', { id: 1 }]
  const { rows, problems } = parseWithdrawals(
    {},
    withdrawals,
    states.map((state) => ({ sum: 1, state, at })),
  )
  expect(rows).toMatchObject([{ status: 'paid', is_paid: true }])
  expect(problems).toEqual([
    'state is missing',
    'state is longer than 100 characters',
    expect.stringContaining('state '),
    'state is missing',
  ])
})

test('numbers of cards are masked in accounts and comments, and short numbers stay', () => {
  const [row] = read([{ sum: 1, note: 'Order 812345 to 8600-1234-5678-9012', at }]).rows
  expect(row?.comment).toBe('Order 812345 to •••• 9012')
  const accounts = ['8600123456789012', '12345'].map((card) => ({ card, sum: '-7', state: 'new', at }))
  expect(parseWithdrawals({}, withdrawals, accounts).rows).toMatchObject([
    { account: '•••• 9012', amount: '7.00', status: 'new', is_paid: false },
    { account: '••••' },
  ])
})

test('a row without an id is identified by its values, and equal rows of a page by their number', () => {
  const row = { card: '8600123456789012', sum: 7, state: 'new', at }
  const keysOf = (items: unknown[]) => [
    ...keyTransactions(parseWithdrawals({}, withdrawals, items).rows).keys(),
  ]
  const [first, second, third] = keysOf([row, row, { ...row, sum: 8 }])
  expect(new Set([first, second, third]).size).toBe(3)
  // The status changes, and the row stays the same.
  expect(keysOf([{ ...row, state: 'paid' }])).toEqual([first])
  expect(
    keysOf([
      { ...row, id: 5 },
      { ...row, id: 5 },
    ]),
  ).toEqual(['id:5'])
})
