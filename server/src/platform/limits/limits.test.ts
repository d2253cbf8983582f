import { readFileSync } from 'node:fs'
import * as travelling from '@karvon/contract/lib/limits.ts'
import { expect, test } from 'vitest'
import * as own from './limits.ts'

const page = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8')
const documentedLimits = [...page.matchAll(/^\| `(\w+)` +\| ([\d,.]+) +\|/gm)].map(([, name, value]) => [
  name,
  Number(value?.replaceAll(',', '')),
])

test('the page of limits lists every limit with its value, and no other', () => {
  const there = Object.entries({ ...travelling, ...own }).filter(([, value]) => typeof value === 'number')
  expect(there.length).toBeGreaterThan(50)
  expect(Object.fromEntries(documentedLimits)).toEqual(Object.fromEntries(there))
  expect(documentedLimits).toHaveLength(there.length)
})
