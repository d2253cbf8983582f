import type { Alert } from '@karvon/contract/alerts/inbox.ts'
import { expect, it } from 'vitest'
import { formatAlert } from './alert.format.ts'

const filters = { source_ids: [], offer_ids: [], stream_ids: [], buyer_ids: [] }
const noFigure = { metric: null, period: null, condition: null, against: null }

/** An alert about 1,500.5. */
const build = (rule: Partial<Alert['rule']>, currencies: string[]): Alert => ({
  id: 1,
  rule: { id: 1, kind: 'metric', name: 'Rule', ...noFigure, ...filters, muted: false, ...rule },
  subject: { id: 0, name: 'Rule', kind: 'rule' },
  value: 1500.5,
  threshold: 100,
  base: 200,
  currencies,
  began_at: '2026-11-01T10:00:00+05:00',
  ended_at: null,
  ended_without_data: false,
  is_read: false,
  snoozed_until: null,
})
const profit = { metric: 'profit', period: 'all', condition: 'above', against: 'value' } as const
const withSpaces = (text: string) => text.replaceAll('\u00a0', ' ')

it('an alert names the currencies of its amount as its message does', () => {
  const format = (rule: Partial<Alert['rule']>, currencies: string[]) =>
    withSpaces(formatAlert(build(rule, currencies)))
  expect(format(profit, ['USD', 'UZS'])).toBe('Rule: profit, USD + UZS in all time: 1 500.5, bound 100')
  expect(format(profit, ['USD'])).toBe('Rule: profit, USD in all time: 1 500.5, bound 100')
  expect(format({ ...profit, against: 'history' }, ['USD'])).toBe(
    'Rule: profit, USD in all time: 1 500.5, usual 200',
  )
  // UZS is the currency of the installation. A difference names it too.
  expect(format(profit, ['UZS'])).toBe('Rule: profit in all time: 1 500.5, bound 100')
  expect(format({ ...profit, metric: 'sold' }, [])).toBe('Rule: sold in all time: 1 500.5, bound 100')
  expect(format({ kind: 'money_difference' }, ['UZS'])).toBe('Account Rule: difference 1 500.5 UZS')
})

it('an alert of a host that names no currencies has none', () => {
  const { currencies: _, ...alert } = build({ kind: 'money_difference' }, [])
  expect(withSpaces(formatAlert(alert as Alert))).toBe('Account Rule: difference 1 500.5')
})
