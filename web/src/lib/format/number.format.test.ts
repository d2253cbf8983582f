import { describe, expect, test } from 'vitest'
import { formatNumber, groupDigits, parseDecimal } from './number.format.ts'

describe('typed amounts', () => {
  test.each([
    ['149000', '149000'],
    ['1\u00a0290\u00a0000', '1290000'],
    ['1 234,5', '1234.5'],
    ['0012.50', '12.50'],
    [',5', '0.5'],
    ['-3,25', '-3.25'],
    ['\u22123', '-3'],
    ['12.', '12'],
    ['', ''],
    ['   ', ''],
    // Larger than a float can hold exactly: the text must stay unchanged.
    ['9007199254740993.01', '9007199254740993.01'],
  ])('%j is %j', (typed, exact) => expect(parseDecimal(typed, 2)).toBe(exact))

  test.each(['1.234', '1,2,3', 'abc', '.', '-', '1e5', '12 сум', '--1'])('%j is refused', (typed) =>
    expect(parseDecimal(typed, 2)).toBeNull(),
  )

  test('whole numbers refuse decimals', () => {
    expect(parseDecimal('12,5', 0)).toBeNull()
    expect(parseDecimal('12', 0)).toBe('12')
  })
})

describe('shown numbers', () => {
  test('stand in groups of three with a no-break space', () => {
    expect(groupDigits('1234567')).toBe('1\u00a0234\u00a0567')
    expect(groupDigits('-999')).toBe('-999')
    expect(groupDigits('-1000.5')).toBe('-1\u00a0000,5')
    expect(groupDigits('9007199254740993.01', '.')).toBe('9\u00a0007\u00a0199\u00a0254\u00a0740\u00a0993.01')
    expect(groupDigits('n/a')).toBe('n/a')
  })

  test('keep the digits asked for', () => {
    expect(formatNumber(1284)).toBe('1\u00a0284')
    expect(formatNumber(58.1, 1, '.')).toBe('58.1')
    expect(formatNumber(2, 1)).toBe('2,0')
  })
})
