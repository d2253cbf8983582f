import { expect, test } from 'vitest'
import {
  findShift,
  intersectPeriods,
  periodOf,
  resolvePeriod,
  shiftBack,
  shiftEndBack,
} from './explore.periods.ts'
import { periodNames } from '../lib/period-names.ts'

test('each period has its days on a Tuesday and on the first day of a year', () => {
  const on = (today: string) =>
    Object.fromEntries(
      periodNames.map((name) => {
        const { start, end } = resolvePeriod(name, today)
        return [name, [start, end]]
      }),
    )
  expect(on('2026-11-24')).toEqual({
    today: ['2026-11-24', '2026-11-24'],
    yesterday: ['2026-11-23', '2026-11-23'],
    last_7_days: ['2026-11-18', '2026-11-24'],
    last_30_days: ['2026-10-26', '2026-11-24'],
    last_90_days: ['2026-08-27', '2026-11-24'],
    this_week: ['2026-11-23', '2026-11-24'],
    last_week: ['2026-11-16', '2026-11-22'],
    this_month: ['2026-11-01', '2026-11-24'],
    last_month: ['2026-10-01', '2026-10-31'],
    this_year: ['2026-01-01', '2026-11-24'],
    all: [undefined, undefined],
  })
  expect(on('2024-01-01')).toMatchObject({
    yesterday: ['2023-12-31', '2023-12-31'],
    this_week: ['2024-01-01', '2024-01-01'],
    last_week: ['2023-12-25', '2023-12-31'],
    last_month: ['2023-12-01', '2023-12-31'],
  })
})

test('a day is in its week and its month, also in February of a leap year', () => {
  expect(periodOf.week('2026-11-22')).toEqual({ start: '2026-11-16', end: '2026-11-22' })
  expect(periodOf.month('2024-02-29')).toEqual({ start: '2024-02-01', end: '2024-02-29' })
  expect(periodOf.month('2026-12-31')).toEqual({ start: '2026-12-01', end: '2026-12-31' })
})

test('a comparison moves by the length of the period, by whole weeks, or by a year', () => {
  const tenDays = { start: '2026-11-01', end: '2026-11-10' }
  expect(findShift('previous_period', tenDays)).toEqual({ days: 10 })
  expect(findShift('same_weekdays', tenDays)).toEqual({ days: 14 })
  expect(findShift('same_weekdays', { start: '2026-11-01', end: '2026-11-01' })).toEqual({ days: 7 })
  expect(shiftBack('2026-11-01', { days: 10 })).toBe('2026-10-22')
  expect(shiftBack('2024-02-29', findShift('year', tenDays))).toBe('2023-02-28')
  expect(shiftBack('2025-02-28', { years: 1 })).toBe('2024-02-28')
  for (const [day, end] of [
    ['2025-02-28', '2024-02-29'],
    ['2025-02-27', '2024-02-27'],
    ['2024-02-29', '2023-02-28'],
    ['2024-02-28', '2023-02-28'],
    ['2026-02-28', '2025-02-28'],
    ['9999-12-31', '9998-12-31'],
  ] as const)
    expect(shiftEndBack(day, { years: 1 }), day).toBe(end)
  expect(shiftEndBack('2025-02-28', { days: 7 })).toBe('2025-02-21')
})

test('two periods share the later start and the earlier end, and an open side stays open', () => {
  expect(intersectPeriods({ start: '2026-01-01' }, { start: '2026-02-01', end: '2026-02-28' })).toEqual({
    start: '2026-02-01',
    end: '2026-02-28',
  })
  expect(intersectPeriods({}, { end: '2026-02-28' })).toEqual({ start: undefined, end: '2026-02-28' })
})
