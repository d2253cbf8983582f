import { readFileSync } from 'node:fs'
import * as travelling from '@karvon/contract/lib/limits.ts'
import { expect, test } from 'vitest'
import * as own from './limits.ts'

const page = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8')
const told = [...page.matchAll(/^\| `(\w+)` +\| ([\d,.]+) +\|/gm)].map(([, name, value]) => [
  name,
  Number(value?.replaceAll(',', '')),
])

test('the page of limits tells each of them as it is, and no other', () => {
  const there = Object.entries({ ...travelling, ...own }).filter(([, value]) => typeof value === 'number')
  expect(there.length).toBeGreaterThan(50)
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(there))
  expect(told).toHaveLength(there.length)
})
