import { describe, expect, test } from 'vitest'
import { formatMoney } from './money.format.ts'
import { formatBytes, formatNumber, groupDigits, parseDecimal } from './number.format.ts'

describe('Typed amounts', () => {
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
    // As copied from another page.
    [' +5\u2009000', '5000'],
    ['\u202A1\u202F234,5\u200B', '1234.5'],
    // Larger than a float can hold exactly: the text must stay unchanged.
    ['9007199254740993.01', '9007199254740993.01'],
  ])('the amount %j is read as %j', (typedText, exact) => expect(parseDecimal(typedText, 2)).toBe(exact))

  test.each(['1.234', '1,2,3', 'abc', '.', '-', '1e5', '12 сум', '--1', '1+2'])(
    'the amount %j is refused',
    (typedText) => expect(parseDecimal(typedText, 2)).toBeNull(),
  )

  test('a whole number refuses decimals', () => {
    expect(parseDecimal('12,5', 0)).toBeNull()
    expect(parseDecimal('12', 0)).toBe('12')
  })
})

describe('Shown numbers', () => {
  test('digits are grouped by three with a no-break space', () => {
    expect(groupDigits('1234567')).toBe('1\u00a0234\u00a0567')
    expect(groupDigits('-999')).toBe('-999')
    expect(groupDigits('-1000.5')).toBe('-1\u00a0000,5')
    expect(groupDigits('9007199254740993.01', '.')).toBe('9\u00a0007\u00a0199\u00a0254\u00a0740\u00a0993.01')
    expect(['n/a', 'x1000', '1000x'].map((text) => groupDigits(text))).toEqual(['n/a', 'x1000', '1000x'])
  })

  test('a number is shown with the requested decimals', () => {
    expect(formatNumber(1284)).toBe('1\u00a0284')
    expect(formatNumber(58.1, 1, '.')).toBe('58.1')
    expect(formatNumber(2, 1)).toBe('2,0')
  })

  test.each([
    [0, '0\u00a0kB'],
    [1, '1\u00a0kB'],
    [999_999, '1\u00a0000\u00a0kB'],
    [1_000_000, '1.0\u00a0MB'],
    [12_400_000, '12.4\u00a0MB'],
    [999_000_000, '999.0\u00a0MB'],
    [1_000_000_000, '1.00\u00a0GB'],
  ])('the size of %d bytes is shown as %j', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

  test('an amount has no decimals or two', () => {
    expect(formatMoney(149_000)).toBe('149\u00a0000')
    expect(formatMoney(149_000.5)).toBe('149\u00a0000,50')
    expect(formatMoney(0.5, '.')).toBe('0.50')
  })
})
