import { expect, test } from 'vitest'
import type { NetworkCredential } from './connectors.account.ts'
import type { ScanMemory } from './connectors.context.ts'
import { readMemory } from './connectors.memory.ts'

const createCredential = (login: string) => ({ source_id: 1, account: { login } }) as NetworkCredential
const createMemory = (): ScanMemory => ({
  account: { source_id: 1, login: 'first' },
  origin: 'former',
  last_full_scan_at: '2026-11-01T00:00:00Z',
  money: { withdrawals: { last_full_scan_at: '2026-11-01T00:00:00Z', full_scan: { started_at: null } } },
})

test('after a change of the description all orders and all money are read again, as corrections', () => {
  expect(readMemory(createMemory(), createCredential('first'), 'present')).toEqual({
    account: { source_id: 1, login: 'first' },
    origin: 'present',
    has_new_description: true,
    money: { withdrawals: { has_new_description: true } },
  })
})

test('the same description keeps what is known', () => {
  const memory = createMemory()
  expect(readMemory(memory, createCredential('first'), 'former')).toEqual(memory)
})

test('another login starts anew and corrects nothing, because the stored money is that of the former one', () => {
  expect(readMemory(createMemory(), createCredential('second'), 'present')).toEqual({
    account: { source_id: 1, login: 'second' },
    origin: 'present',
  })
})
