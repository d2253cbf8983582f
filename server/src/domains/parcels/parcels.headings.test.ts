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
