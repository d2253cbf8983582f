import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { matchHeaders } from '../../platform/spreadsheets/spreadsheets.headers.ts'
import { actHeadings } from './settlements.headings.ts'

test.each([
  ['Akt raqami', 'Akt sanasi', 'Buyurtma raqami', 'Olingan summa', 'Yetkazib berish narxi', 'Toʻlanadi'],
  ['Акт рақами', 'Акт санаси', 'Буюртма рақами', 'Олинган сумма', 'Етказиб бериш нархи', 'Тўланади'],
])('the Uzbek headings %s, %s and so on are recognised', (...cells) => {
  const columns = ['act_number', 'act_date', 'orderno', 'collected', 'delivery_fee', 'due']
  expect([...matchHeaders(cells, actHeadings).keys()]).toEqual(columns)
})

test.each(['ru', 'uz'])(
  'the titles of columns on the screens are recognised as headings (language %s)',
  async (language) => {
    const file = new URL(`../../../../web/src/lib/i18n/${language}.json`, import.meta.url)
    const texts = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>
    const lineColumns = ['orderno', 'delivered_date', 'collected', 'delivery_fee', 'cash_fee', 'due']
    const titles = {
      ...Object.fromEntries(lineColumns.map((key) => [key, texts[`settlementLines.columns.${key}`] ?? ''])),
      fee: texts['settlementActs.columns.fees'] ?? '',
      paid_at: texts['settlementActs.columns.paid_at'] ?? '',
    }
    expect([...matchHeaders(Object.values(titles), actHeadings).keys()]).toEqual(Object.keys(titles))
  },
)
