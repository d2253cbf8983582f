import { describe, expect, test } from 'vitest'
import { addDays, getMonthRange, getPresetRanges } from '@karvon/contract/lib/day-ranges.ts'
import { clipRange, isDay, isInBounds, orderRange, parseDay } from './date-range.rules.ts'

describe('Range of two days', () => {
  test('a range keeps the order of a later second day', () => {
    expect(orderRange('2026-11-03', '2026-11-09')).toEqual({ start: '2026-11-03', end: '2026-11-09' })
  })

  test('a range swaps an earlier second day', () => {
    expect(orderRange('2026-11-09', '2026-10-31')).toEqual({ start: '2026-10-31', end: '2026-11-09' })
  })

  test('a range may be one day', () => {
    expect(orderRange('2026-11-09', '2026-11-09')).toEqual({ start: '2026-11-09', end: '2026-11-09' })
  })
})

describe('Presets', () => {
  test('the presets of a period count back from the given day, which they include', () => {
    expect(getPresetRanges('2026-11-21')).toEqual({
      today: { start: '2026-11-21', end: '2026-11-21' },
      yesterday: { start: '2026-11-20', end: '2026-11-20' },
      last_7_days: { start: '2026-11-15', end: '2026-11-21' },
      last_30_days: { start: '2026-10-23', end: '2026-11-21' },
      this_month: { start: '2026-11-01', end: '2026-11-30' },
      last_month: { start: '2026-10-01', end: '2026-10-31' },
    })
  })

  test('the presets of a period cross the end of a year and a leap day', () => {
    expect(getPresetRanges('2027-01-01').yesterday.start).toBe('2026-12-31')
    expect(getPresetRanges('2027-01-01').last_month).toEqual({ start: '2026-12-01', end: '2026-12-31' })
    expect(getPresetRanges('2028-03-31').last_month).toEqual({ start: '2028-02-01', end: '2028-02-29' })
  })

  test('the presets of a period are cut to its bounds, and null outside of them', () => {
    const month = getMonthRange('2026-11-21')
    expect(clipRange(month, { min: '2026-11-05', max: '2026-11-21' })).toEqual({
      start: '2026-11-05',
      end: '2026-11-21',
    })
    expect(clipRange(month, { min: '2026-12-01' })).toBeNull()
    expect(clipRange(month, { max: '2026-10-31' })).toBeNull()
    expect(clipRange(month, {})).toEqual(month)
    expect(clipRange(month, { min: '2026-10-01', max: '2026-12-31' })).toEqual(month)
  })
})

test('addDays crosses months and clock changes', () => {
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
})

test('the bounds of a period include their first and last day', () => {
  const bounds = { min: '2026-11-01', max: '2026-11-30' }
  expect(
    ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'].map((day) => isInBounds(day, bounds)),
  ).toEqual([false, true, true, false])
})

test('a bound of a period that is not given excludes no day', () => {
  expect(isInBounds('2026-11-01', {})).toBe(true)
  expect(isInBounds('2026-11-01', { min: '2026-11-02' })).toBe(false)
  expect(isInBounds('2026-11-01', { max: '2026-10-31' })).toBe(false)
})

test('a period of one day at a bound is kept', () => {
  const day = { start: '2026-11-05', end: '2026-11-05' }
  expect(clipRange(day, { min: '2026-11-05', max: '2026-11-05' })).toEqual(day)
})

test('only an existing day as yyyy-mm-dd is a day', () => {
  expect(['2026-11-21', '2026-2-1', '21.11.2026', '2026-02-30', ''].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

describe('Typed days', () => {
  test.each([
    ['21.11.2026', '2026-11-21'],
    ['1.2.26', '2026-02-01'],
    [' 01/11/2026 ', '2026-11-01'],
    ['2026-11-21', '2026-11-21'],
    [' 2026-2-1 ', '2026-02-01'],
    ['1-2-2026', '2026-02-01'],
    ['1 2 2026', '2026-02-01'],
    ['29.02.2028', '2028-02-29'],
    ['21112026', '2026-11-21'],
    ['010226', '2026-02-01'],
  ])('the typed text %s is the day %s', (typedText, day) => expect(parseDay(typedText)).toBe(day))

  test.each([
    '',
    '1.2.202',
    '1.2.20261',
    '111.2.2026',
    'x2026-11-21',
    '1x2.2026',
    '1.2x2026',
    '31.02.2026',
    '29.02.2027',
    '1.13.2026',
    '21.11',
    '20261121',
    '1112026',
    '31022026',
    'завтра',
    '2026-11-21T00:00',
    '0.1.2026',
    '1.1.0000',
    '0000-01-01',
  ])('the typed text %s is no day', (typedText) => expect(parseDay(typedText)).toBeNull())
})
