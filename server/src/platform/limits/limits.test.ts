import { readFileSync } from 'node:fs'
import * as valueLimits from '@karvon/contract/lib/limits.ts'
import { expect, test } from 'vitest'
import * as processLimits from './limits.ts'

const documentation = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8')
const documentedLimits = [...documentation.matchAll(/^\| `(\w+)` +\| ([\d,.]+) +\|/gm)].map(
  ([, name, value]) => [name, Number(value?.replaceAll(',', ''))],
)

test('the page of limits lists every limit with its value, and no other', () => {
  const limits = Object.entries({ ...valueLimits, ...processLimits }).filter(
    ([, value]) => typeof value === 'number',
  )
  expect(limits.length).toBeGreaterThan(50)
  expect(Object.fromEntries(documentedLimits)).toEqual(Object.fromEntries(limits))
  expect(documentedLimits).toHaveLength(limits.length)
})
