import { expect, test } from 'vitest'
import { getDayEnd } from './date-time.format.ts'

test.each([
  ['Asia/Tashkent', '2026-01-31', '2026-01-31T18:59:59.999Z'],
  ['UTC', '2026-02-28', '2026-02-28T23:59:59.999Z'],
  ['America/New_York', '2026-12-31', '2027-01-01T04:59:59.999Z'],
  ['Asia/Kathmandu', '2026-06-15', '2026-06-15T18:14:59.999Z'],
])('a day in %s ends where the next one begins there: %s', (zone, day, end) => {
  expect(getDayEnd(day, zone)).toBe(end)
})
