import { expect, test } from 'vitest'
import { formatDifference, formatPercent } from './explore.format.ts'
import { formatFilterKey, formatMember } from './explore.member.format.ts'

const value = (key: string, name: string | null = null) => ({ kind: 'value', key, name }) as const

test('each kind of key has its own form', () => {
  expect([
    formatMember('day', value('2026-11-21')),
    formatMember('month', value('2026-11-01')),
    formatMember('weekday', value('6')),
    formatMember('hour', value('7')),
    formatMember('offer', value('5', 'Kettle')),
    formatMember('sub1', value('s7')),
    formatMember('region', { kind: 'none', key: null, name: null }),
    formatMember('stream', { kind: 'rest', key: null, name: null }),
  ]).toEqual(['21.11.2026', '11.2026', 'Saturday', '07:00', 'Kettle', 's7', 'None', 'The rest'])
})

test('a difference has a sign, and a change from nothing has no percent', () => {
  expect(formatDifference('leads', 5)).toBe('+5')
  expect(formatDifference('leads', -5)).toBe('−5')
  expect(formatDifference('approve_rate', 0.125)).toBe('+12.5%')
  expect(formatDifference('buyout_rate', null)).toBe('—')
  expect([formatPercent(12.5), formatPercent(-100), formatPercent(null)]).toEqual([
    '+12.5%',
    '−100.0%',
    'new',
  ])
})

test('a key of a filter has a name, the number of its row, or the name of no value', () => {
  expect(formatFilterKey('source', { key: '5', name: 'Alpha' })).toBe('Alpha')
  expect(formatFilterKey('source', { key: '5', name: null })).toBe('#5')
  expect(formatFilterKey('offer', { key: '0', name: null })).toBe('Without offer')
  expect(formatFilterKey('region', { key: '', name: null })).toBe('Without region')
  expect(formatFilterKey('hour', { key: '0', name: null })).toBe('00:00')
})
