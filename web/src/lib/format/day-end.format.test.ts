import { expect, test } from 'vitest'
import { getDayEnd } from './day-end.format.ts'

test.each([
  ['Asia/Tashkent', '2026-01-31', '2026-01-31T18:59:59.999Z'],
  ['UTC', '2026-02-28', '2026-02-28T23:59:59.999Z'],
  ['America/New_York', '2026-12-31', '2027-01-01T04:59:59.999Z'],
  ['Asia/Kathmandu', '2026-06-15', '2026-06-15T18:14:59.999Z'],
  // The clocks change in the night after the day.
  ['Europe/Berlin', '2026-03-28', '2026-03-28T22:59:59.999Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-25T22:59:59.999Z'],
  ['Australia/Sydney', '2026-04-04', '2026-04-04T12:59:59.999Z'],
  ['Australia/Sydney', '2026-10-03', '2026-10-03T13:59:59.999Z'],
  // They change at midnight.
  ['America/Havana', '2026-03-07', '2026-03-08T04:59:59.999Z'],
  ['America/Havana', '2026-10-31', '2026-11-01T03:59:59.999Z'],
  ['America/Santiago', '2026-04-04', '2026-04-05T03:59:59.999Z'],
  ['America/Santiago', '2026-09-05', '2026-09-06T03:59:59.999Z'],
  // The next day does not exist.
  ['Pacific/Apia', '2011-12-29', '2011-12-30T09:59:59.999Z'],
])('a day in %s ends where the next one begins there: %s', (zone, day, end) => {
  expect(getDayEnd(day, zone)).toBe(end)
})
