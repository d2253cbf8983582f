import type { ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import { expect, test } from 'vitest'
import { composeText } from './view-messages.text.ts'

test('the newest days of a message come first, and not the rest of the days', () => {
  const figures = (leads: number) => ({ metrics: { leads }, compared: null })
  const days = ['2026-11-01', '2026-11-02'].map((key) => ({
    member: { kind: 'value', key, name: null } as const,
    ...figures(3),
  }))
  const rest = { member: { kind: 'rest', key: null, name: null }, ...figures(900) } as const
  const answer: ExploreAnswer = {
    items: [],
    totals: figures(906),
    meta: {
      rows: 'day',
      columns: null,
      metrics: ['leads'],
      sort: 'leads',
      period: { start: null, end: null },
      compared_period: null,
      currencies: [],
      row_totals: [...days, rest],
      column_totals: [],
      row_count: 900,
      column_count: 0,
    },
  }
  const text = composeText(answer, {
    name: 'Days',
    language: 'en',
    link: null,
    filters: [],
    currency: 'UZS',
    maxLength: 1000,
  })
  expect(text).toContain('\n02/11/2026: 3\n01/11/2026: 3')
  expect(text).not.toContain(': 900')
})
