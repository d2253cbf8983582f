import { expect, expectTypeOf, test } from 'vitest'
import { formatMessage, type ParamsOf } from './message.ts'

const russian = {
  plural: new Intl.PluralRules('ru'),
  formatNumber: (value: number) => value.toLocaleString('ru'),
}

test('a message shows its parameters by name, in any order', () => {
  expect(formatMessage('{done} of {all}', { all: 5, done: 1 })).toBe('1 of 5')
  expect(formatMessage('{all}: {done}, {done}', { all: 'x', done: '{all} $&' })).toBe('x: {all} $&, {all} $&')
})

test('a parameter without a value stays as it is written', () => {
  expect(formatMessage('{sub1} and {toString}', {})).toBe('{sub1} and {toString}')
})

test('a number is grouped only where the message says so', () => {
  expect(formatMessage('{a} {a, number}', { a: 12_345 })).toBe('12345 12,345')
})

test('a message with plural forms chooses by the count', () => {
  const leads = { one: '{count} лид', few: '{count} лида', many: '{count} лидов', other: '{count} лида' }
  const texts = [1, 2, 5, 11, 21, 1.5].map((count) => formatMessage(leads, { count }, russian))
  expect(texts).toEqual(['1 лид', '2 лида', '5 лидов', '11 лидов', '21 лид', '1.5 лида'])
  expect(formatMessage({ other: '{count} leads' }, { count: 1 })).toBe('1 leads')
})

test('the types name the parameters of a message', () => {
  expectTypeOf<keyof ParamsOf<'plain'>>().toBeNever()
  expectTypeOf<ParamsOf<'{a} {b, number}'>['a']>().toEqualTypeOf<string | number>()
  expectTypeOf<ParamsOf<'{a} {b, number}'>['b']>().toEqualTypeOf<number>()
  expectTypeOf<keyof ParamsOf<{ one: '{count} of {all}'; other: '{count}' }>>().toEqualTypeOf<
    'count' | 'all'
  >()
})
