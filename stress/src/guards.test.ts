import { expect, test } from 'vitest'
import { staleness } from './guards.stale.ts'
import { guards } from './guards.list.ts'

test.each(guards)('$name: stands once where the list says', (guard) => {
  expect(staleness(guard)).toEqual([])
})
