import { expect, expectTypeOf, test, vi } from 'vitest'
import { defineMessages, formatById } from './messages.ts'

vi.mock('./language.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('./language.ts')>()),
  language: 'ru',
  findMessage: (id: string) => catalogue.get(id),
}))

const catalogue = new Map<string, string | { one: string; few: string; many: string; other: string }>([
  ['users.save', 'Сохранить'],
  ['users.period', 'До {to}, от {from}'],
  ['users.rows', { one: '{count} строка', few: '{count} строки', many: '{count} строк', other: '-' }],
  ['error.busy', 'Занято: {name}'],
])

const texts = defineMessages('users', {
  save: 'Save',
  period: 'From {from} to {to}',
  rows: { one: '{count} row', other: '{count} rows' },
  inner: { open: 'Open', size: '{bytes, number} bytes' },
  orders: { one: '{count} заказ', few: '{count} заказа', other: '{count} заказов' },
})

test('a text is shown in the picked language, or in the mix if the catalogue lacks it', () => {
  expect(texts.save).toBe('Сохранить')
  expect(texts.inner.open).toBe('Open')
})

test('parameters are at the places that the translation gives them', () => {
  expect(texts.period({ from: '1.11', to: '3.11' })).toBe('До 3.11, от 1.11')
  expect(texts.inner.size({ bytes: 1234 })).toBe('1\u00a0234 bytes')
})

test('the plural form is chosen by the rules of the language of the message', () => {
  expect([1, 2, 5, 21].map((count) => texts.rows({ count }))).toEqual([
    '1 строка',
    '2 строки',
    '5 строк',
    '21 строка',
  ])
  expect([1, 3, 11].map((count) => texts.orders({ count }))).toEqual(['1 заказ', '3 заказа', '11 заказов'])
})

test('a message is found by its id, else the given text is shown', () => {
  expect(formatById('error.busy', { name: 'x' }, 'Busy')).toBe('Занято: x')
  expect(formatById('error.unknown', {}, 'Busy')).toBe('Busy')
})

test('the types require the parameters of a message', () => {
  expectTypeOf(texts.save).toBeString()
  expectTypeOf(texts.rows).parameter(0).toHaveProperty('count')
  // @ts-expect-error -- `to` is missing
  expect(texts.period({ from: 1 })).toBe('До {to}, от 1')
})
