import { expect, test } from 'vitest'
import { matchHeaders } from '../../platform/spreadsheets/spreadsheets.headers.ts'
import { historyHeadings, type HistoryColumn } from './parcels.headings.ts'

const columns = Object.keys(historyHeadings) as HistoryColumn[]

test.each(columns)(
  'every heading of %s matches only that column, in any letter case and with its unit',
  (column) => {
    const withCapitals = (wording: string) => ` ${wording.toUpperCase().replaceAll(' ', ', ')}: `
    const matchedColumns = historyHeadings[column].flatMap((wording) =>
      [wording, withCapitals(wording)].map((heading) => [...matchHeaders([heading], historyHeadings).keys()]),
    )
    expect(matchedColumns.length).toBeGreaterThan(0)
    expect(matchedColumns).toEqual(matchedColumns.map(() => [column]))
  },
)

test('every column has headings in English, Russian, and Uzbek of both alphabets', () => {
  for (const column of columns) {
    const wordings = [column, ...historyHeadings[column]].join()
    expect(wordings, column).toMatch(/[a-z]/)
    expect(wordings, column).toMatch(/[а-я]/)
  }
})

test('a heading matches with any apostrophe of a keyboard', () => {
  for (const apostrophe of ["'", 'ʻ', '‘', '’', '`', 'ʼ', '']) {
    expect([...matchHeaders([`Og${apostrophe}irligi, kg`], historyHeadings).keys()]).toEqual(['weight'])
  }
})

test.each([
  ['Наложенный платёж, сум', 'cod_amount'],
  ['К получению (сум)', 'cod_amount'],
  ['Объявленная ценность сум.', 'declared_value'],
  ['Delivery price, UZS', 'delivery_price'],
  ["To'lov (so'm)", 'cod_amount'],
  ['Olinadi, soʻm', 'cod_amount'],
  ['Оғирлиги (кг)', 'weight'],
  ['Количество мест, шт.', 'quantity'],
])('the heading %s with its unit is recognised', (heading, column) => {
  expect([...matchHeaders([heading], historyHeadings).keys()]).toEqual([column])
})

test.each(['Вес, г', 'Сумма, USD', 'сум', 'Сумма, тыс. сум'])(
  'the heading %s is not recognised',
  (heading) => {
    expect([...matchHeaders([heading], historyHeadings).keys()]).toEqual([])
  },
)

test.each([
  ['Номер', 'Номер заказа', 'orderno', 1],
  ['Номер заказа', 'Номер', 'orderno', 0],
  ['Order', 'Order ID', 'orderno', 1],
  ['Телефон', 'Телефон получателя', 'phone', 1],
  ['Количество', 'Количество мест, шт', 'quantity', 1],
  ['Номер заказа', 'Номер отправления', 'orderno', 0],
  ['Телефон', 'Телефон', 'phone', 0],
  ['Номер заказа', 'orderno', 'orderno', 1],
])('of the headings %s and %s for %s the more exact one is used', (first, second, column, at) => {
  expect([...matchHeaders([first, second], historyHeadings)]).toEqual([[column, at]])
})
