import { dimensionNames } from '@karvon/contract/explore/explore.dimensions.ts'
import { textDimensions } from '@karvon/contract/lib/lead-texts.ts'
import type { ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createScopeFixture, foreignMark } from '../../../test/access.fixture.ts'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { readSheet } from '../../../test/exports.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { createRow } from '../../../test/people.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  const body = { name: 'Network', url: 'https://network.example' }
  const sourceId = await createRow(product.app, admin, '/api/admin/cpa-sources/', body)
  const days: [string, string, number][] = [
    // Thursday and Friday, and the same weekdays a week and a year before.
    ['2026-11-19', 'sold', 3],
    ['2026-11-20', 'sold', 1],
    ['2026-11-20', 'accepted', 1],
    ['2026-11-17', 'accepted', 2],
    ['2026-11-12', 'sold', 4],
    ['2026-11-13', 'trash', 1],
    ['2025-11-19', 'sold', 2],
    ['2025-02-28', 'sold', 1],
    ['2024-02-28', 'sold', 2],
    ['2024-02-29', 'sold', 5],
    ['2023-02-28', 'sold', 7],
  ]
  const leads = days.flatMap(([day, source_status, count], at) =>
    Array.from({ length: count }, (_, i) =>
      buildLead(`lead ${at} ${i}`, {
        source_status,
        payout: '10.05',
        created_at: `${day}T12:00:00+05:00`,
        updated_at: `${day}T12:00:00+05:00`,
        stream: day < '2026-11-19' ? 'Old' : 'New',
      }),
    ),
  )
  await ingestLeads(product.deps.db, { sourceId, leads, origin: 'file' })
})
afterAll(() => product.close())

const ask = (query: string) => callApi(product.app, admin, 'GET', `/api/admin/explore?${query}`)

async function explore(query: string): Promise<ExploreAnswer> {
  const answer = await ask(query)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<ExploreAnswer>()
}

describe('A comparison', () => {
  const days = 'date_from=2026-11-19&date_to=2026-11-20'
  const leadsOf = ({ items }: ExploreAnswer) =>
    items.map(({ row, metrics, compared }) => [row.key, metrics.leads, compared?.leads?.value])

  test('a comparison with the previous period takes as many days directly before', async () => {
    const answer = await explore(`rows=day&${days}&compare=previous_period`)
    expect(answer.meta.compared_period).toEqual({ start: '2026-11-17', end: '2026-11-18' })
    expect(leadsOf(answer)).toEqual([
      ['2026-11-19', 3, 2],
      ['2026-11-20', 2, 0],
    ])
    expect(answer.totals.compared).toEqual({ leads: { value: 2, difference: 3, percent: 150 } })
  })

  test('a comparison with the same weekdays takes whole weeks before, with value, difference and percent', async () => {
    const answer = await explore(`rows=day&metrics=leads,profit,buyout_rate&${days}&compare=same_weekdays`)
    expect(answer.meta.compared_period).toEqual({ start: '2026-11-12', end: '2026-11-13' })
    expect(answer.items[0]).toMatchObject({
      metrics: { leads: 3, profit: 30.15, buyout_rate: 1 },
      compared: {
        leads: { value: 4, difference: -1, percent: -25 },
        profit: { value: 40.2, difference: -10.05, percent: -25 },
        buyout_rate: { value: 1, difference: 0, percent: 0 },
      },
    })
  })

  test('a change from zero has a difference and no percent, and a rate with the divisor zero has neither', async () => {
    const answer = await explore(
      `rows=day&metrics=leads,profit,buyout_rate&day=2026-11-20&${days}&compare=same_weekdays`,
    )
    expect(answer.items[0]?.compared).toEqual({
      leads: { value: 1, difference: 1, percent: 100 },
      profit: { value: 0, difference: 10.05, percent: null },
      buyout_rate: { value: null, difference: null, percent: null },
    })
  })

  test('a key that has leads only in the compared period is shown with 0', async () => {
    const answer = await explore(`rows=stream&${days}&compare=same_weekdays`)
    expect(
      answer.items.map(({ row, metrics, compared }) => [row.name, metrics.leads, compared?.leads?.percent]),
    ).toEqual([
      ['New', 5, null],
      ['Old', 0, -100],
    ])
  })

  test('a comparison with the year before takes the same dates, and 28 February for 29 February', async () => {
    const year = await explore(`rows=day&${days}&compare=year`)
    expect(leadsOf(year)).toEqual([
      ['2026-11-19', 3, 2],
      ['2026-11-20', 2, 0],
    ])
    const afterLeapYear = await explore('rows=day&date_from=2025-02-01&date_to=2025-03-31&compare=year')
    expect(leadsOf(afterLeapYear)).toEqual([['2025-02-28', 1, 7]])
    for (const end of [
      'date_to=2025-02-28',
      'date_to=2025-03-31&month=2025-02-01',
      'date_to=2025-03-31&day=2025-02-28',
    ])
      expect(leadsOf(await explore(`rows=day&date_from=2025-02-01&${end}&compare=year`)), end).toEqual([
        ['2025-02-28', 1, 7],
      ])
    const leapDay = await explore('rows=day&date_from=2024-02-29&date_to=2024-02-29&compare=year')
    expect(leadsOf(leapDay)).toEqual([['2024-02-29', 5, 7]])
  })

  test('the compared days of a filter by day are those of the whole period', async () => {
    const answer = await explore(
      'rows=stream&date_from=2026-11-14&date_to=2026-11-20&day=2026-11-19&compare=previous_period',
    )
    expect(answer.meta).toMatchObject({
      period: { start: '2026-11-19', end: '2026-11-19' },
      compared_period: { start: '2026-11-12', end: '2026-11-12' },
    })
    expect(answer.totals).toMatchObject({ metrics: { leads: 3 }, compared: { leads: { value: 4 } } })
  })

  test('a comparison without a first and a last day is refused', async () => {
    const answer = await ask('compare=year')
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { errors: [{ field: 'compare', code: 'comparison_without_period' }] },
    ])
  })
})

describe('A question', () => {
  test.each([
    ['rows=planet', 'rows'],
    ['columns=planet', 'columns'],
    ['rows=day&columns=day', 'columns'],
    ['metrics=leads,luck', 'metrics'],
    ['rows=day&columns=source&metrics=leads,sold,hold,profit,send', 'metrics'],
    ['without=source', 'without'],
    ['top_rows=201', 'top_rows'],
    ['top_columns=51', 'top_columns'],
    ['weekday=8', 'weekday'],
    ['hour=24', 'hour'],
    ['period=someday', 'period'],
    ['date_from=2026-02-02&date_to=2026-02-01', 'date_from'],
    ['date_from=1000-01-01&date_to=2026-02-01', 'date_to'],
  ])('a question of Explore with %s is refused with the name of the parameter', async (query, field) => {
    const answer = await ask(query)
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: [{ field }] }])
    expect(answer.json<{ errors: { message: string }[] }>().errors[0]?.message).toContain(field)
  })

  test('a filter text of Explore that is too long is refused', async () => {
    expect((await ask(`sub1=${'x'.repeat(2001)}`)).statusCode).toBe(422)
  })

  test.each([
    [`source=${Array.from({ length: 51 }, (_, n) => n + 1).join(',')}`, 'too_many_entries'],
    [`region=${Array.from({ length: 51 }, (_, n) => `r${n}`).join('%1F')}`, 'too_many_entries'],
    ['offer=1,x', 'must_be_whole_number'],
    ['offer=1,,2', 'must_be_whole_number'],
    ['offer=1&offer=1e0', 'must_be_whole_number'],
    ['hour=3,24', 'above_maximum'],
    ['sub1=a%1F', 'required'],
    ['sub1=a%1Fb%00', 'unstorable_character'],
  ])('the filter values %s of Explore are refused: %s', async (query, code) => {
    const answer = await ask(query)
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: [{ code }] }])
  })

  test('the values of a filter are one text or a repeated parameter, also for a file', async () => {
    const { items } = await explore('rows=stream')
    const [first, second] = items.map(({ row }) => row.key ?? '0')
    const expected = items.slice(0, 2).reduce((sum, { metrics }) => sum + (metrics.leads ?? 0), 0)
    expect(expected).toBeGreaterThan(items[0]?.metrics.leads ?? 0)
    for (const query of [`stream=${first},${second},${first}`, `stream=${first}&stream=${second}`])
      expect((await explore(query)).totals.metrics.leads).toBe(expected)
    const csv = await ask(`rows=stream&stream=${first},${second}&format=csv`)
    expect(csv.body.trim().split('\r\n')).toHaveLength(3)
  })

  test('a question without parameters counts the leads of all days', async () => {
    const { items, meta } = await explore('')
    expect(meta).toMatchObject({
      rows: 'day',
      columns: null,
      metrics: ['leads'],
      period: { start: null, end: null },
    })
    const days = items.map(({ row }) => row.key ?? '')
    expect(days.length).toBeGreaterThan(5)
    expect(days).toEqual(days.toSorted((a, b) => a.localeCompare(b)))
  })

  test('a question whose filters leave no day has an empty answer', async () => {
    const answer = await explore('rows=source&day=2026-11-19&week=2026-11-10')
    expect(answer).toMatchObject({ items: [], totals: { metrics: { leads: 0 } }, meta: { row_count: 0 } })
  })

  test('Explore shows the newest 50 days as columns, and older days are the rest', async () => {
    const { db } = product.deps
    const source = await createRow(product.app, admin, '/api/admin/cpa-sources/', {
      name: 'Long',
      url: 'https://long.example',
    })
    const leads = Array.from({ length: 60 }, (_, i) =>
      buildLead(`day ${i}`, { created_at: new Date(Date.UTC(2022, 0, 1 + i, 6)).toISOString() }),
    )
    await ingestLeads(db, { sourceId: source, leads, origin: 'file' })
    const { items, meta } = await explore(`rows=source&columns=day&source=${source}`)
    expect([meta.column_count, meta.column_totals.length]).toEqual([60, 51])
    expect(meta.column_totals[0]?.member.key).toBe('2022-01-11')
    expect(items.at(-1)).toMatchObject({ column: { kind: 'rest' }, metrics: { leads: 10 } })
  })

  test('a csv and a workbook of Explore have the items of the answer', async () => {
    const query =
      'rows=stream&metrics=leads,profit&date_from=2026-11-19&date_to=2026-11-20&compare=same_weekdays'
    const csv = await ask(`${query}&format=csv`)
    expect(csv.body.split('\r\n').slice(0, 3)).toEqual([
      '﻿stream,leads,leads_compared_value,leads_compared_difference,leads_compared_percent,profit,profit_compared_value,profit_compared_difference,profit_compared_percent',
      'New,5,0,5,,40.2,0,40.2,',
      'Old,0,5,-5,-100,0,40.2,-40.2,-100',
    ])
    const workbook = await ask(`${query}&format=xlsx`)
    const rows = await readSheet(workbook.rawPayload)
    expect(rows.map((cells) => cells.slice(0, 3))).toEqual([
      ['stream', 'leads', 'leads_compared_value'],
      ['New', '5', '0'],
      ['Old', '0', '5'],
    ])
  })
})

test('Explore shows a person no rows and no names of others, with any dimension and any filter', async () => {
  const { product: scopeProduct, lola, rustam, others, hidden } = await createScopeFixture()
  try {
    const figures = async (as: Session, query: string) => {
      const answer = await callApi(scopeProduct.app, as, 'GET', `/api/user/explore?${query}`)
      expect(answer.statusCode, answer.body).toBe(200)
      if (as === lola) expect(answer.body, query).not.toContain(foreignMark)
      return answer.json<ExploreAnswer>().totals.metrics.leads
    }
    for (const rows of dimensionNames) {
      expect(await figures(lola, `rows=${rows}`), rows).toBe(1)
      expect(await figures(rustam, `rows=${rows}`), rows).toBe(1)
      for (const filter of [`stream=${others.stream},0`, `source=${hidden}`, 'stream=0', 'buyer=0,999'])
        expect(await figures(lola, `rows=${rows}&${filter}`), filter).toBe(0)
    }
    for (const name of textDimensions) expect(await figures(lola, `rows=stream&without=${name}`)).toBe(1)
    expect((await callApi(scopeProduct.app, lola, 'GET', '/api/admin/explore')).statusCode).toBe(403)
  } finally {
    await scopeProduct.close()
  }
})
