import { describe, expect, test } from 'vitest'
import {
  addDays,
  clipRange,
  isInBounds,
  getMonthRange,
  orderRange,
  parseDay,
  getPresetRanges,
} from './date-range.rules.ts'

describe('a range of two picks', () => {
  test('keeps the order of a later second pick', () => {
    expect(orderRange('2026-11-03', '2026-11-09')).toEqual({ start: '2026-11-03', end: '2026-11-09' })
  })

  test('swaps an earlier second pick', () => {
    expect(orderRange('2026-11-09', '2026-10-31')).toEqual({ start: '2026-10-31', end: '2026-11-09' })
  })

  test('may be one day', () => {
    expect(orderRange('2026-11-09', '2026-11-09')).toEqual({ start: '2026-11-09', end: '2026-11-09' })
  })
})

describe('presets', () => {
  test('count from the day given, inclusive', () => {
    expect(getPresetRanges('2026-11-21')).toEqual({
      today: { start: '2026-11-21', end: '2026-11-21' },
      yesterday: { start: '2026-11-20', end: '2026-11-20' },
      last7: { start: '2026-11-15', end: '2026-11-21' },
      last30: { start: '2026-10-23', end: '2026-11-21' },
      month: { start: '2026-11-01', end: '2026-11-30' },
      previousMonth: { start: '2026-10-01', end: '2026-10-31' },
    })
  })

  test('cross the year and the leap day', () => {
    expect(getPresetRanges('2027-01-01').yesterday.start).toBe('2026-12-31')
    expect(getPresetRanges('2027-01-01').previousMonth).toEqual({ start: '2026-12-01', end: '2026-12-31' })
    expect(getPresetRanges('2028-03-31').previousMonth).toEqual({ start: '2028-02-01', end: '2028-02-29' })
  })

  test('are clipped to the bounds, and gone outside of them', () => {
    const month = getMonthRange('2026-11-21')
    expect(clipRange(month, { min: '2026-11-05', max: '2026-11-21' })).toEqual({
      start: '2026-11-05',
      end: '2026-11-21',
    })
    expect(clipRange(month, { min: '2026-12-01' })).toBeNull()
    expect(clipRange(month, { max: '2026-10-31' })).toBeNull()
    expect(clipRange(month, {})).toEqual(month)
  })
})

test('days are added across months and clock changes', () => {
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
})

test('bounds are inclusive', () => {
  const bounds = { min: '2026-11-01', max: '2026-11-30' }
  expect(
    ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'].map((day) => isInBounds(day, bounds)),
  ).toEqual([false, true, true, false])
})

describe('a typed day', () => {
  test.each([
    ['21.11.2026', '2026-11-21'],
    ['1.2.26', '2026-02-01'],
    [' 01/11/2026 ', '2026-11-01'],
    ['2026-11-21', '2026-11-21'],
    ['29.02.2028', '2028-02-29'],
  ])('%s is %s', (typed, day) => expect(parseDay(typed)).toBe(day))

  test.each(['', '31.02.2026', '29.02.2027', '1.13.2026', '21.11', 'завтра', '2026-11-21T00:00', '0.1.2026'])(
    '%s is no day',
    (typed) => expect(parseDay(typed)).toBeNull(),
  )
})
