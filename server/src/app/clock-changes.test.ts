import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { sendFile } from '../../test/files.ts'
import { createRow } from '../../test/people.ts'
import { queryRows } from '../platform/database/rows.ts'
import { buildTimes } from '../domains/saved-views/saved-views.times.queries.ts'
import { buildChangedDays } from '../domains/segments/segments.jobs.ts'

/**
 * Changes of the clocks, each from the day before to the day after. In Havana, São Paulo and St. John's they are at midnight. In Apia
 * 30 December 2011 does not exist.
 */
const zones = {
  'Europe/Berlin': [
    ['2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z'],
    ['2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z'],
  ],
  'America/Havana': [
    ['2026-03-07T05:00:00Z', '2026-03-10T04:00:00Z'],
    ['2026-10-31T04:00:00Z', '2026-11-03T05:00:00Z'],
  ],
  'America/Sao_Paulo': [
    ['2018-02-16T02:00:00Z', '2018-02-19T03:00:00Z'],
    ['2018-11-03T03:00:00Z', '2018-11-06T02:00:00Z'],
  ],
  'America/St_Johns': [
    ['2010-03-13T03:30:00Z', '2010-03-16T02:30:00Z'],
    ['2010-11-06T02:30:00Z', '2010-11-09T03:30:00Z'],
  ],
  'Pacific/Apia': [['2011-12-29T10:00:00Z', '2012-01-02T10:00:00Z']],
} as const

/** One lead each half an hour. */
const step = 30 * 60_000

interface TestLead {
  at: string
  day: string
  hour: string
  cents: number
}

/** The leads with their day and hour as the time zone database of Node gives them. */
function listLeads(timeZone: keyof typeof zones): TestLead[] {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, hourCycle: 'h23', ...parts })
  return zones[timeZone].flatMap(([from, until]) =>
    Array.from({ length: (Date.parse(until) - Date.parse(from)) / step }, (_, n) => {
      const at = new Date(Date.parse(from) + n * step)
      const [day = '', hour = ''] = format.format(at).split(' ')
      return { at: at.toISOString(), day, hour: String(Number(hour)), cents: n * 100 + 1 }
    }),
  )
}

const weekdayOf = ({ day }: TestLead) => String(new Date(day).getUTCDay() || 7)
const mondayOf = (lead: TestLead) =>
  new Date(Date.parse(lead.day) - (Number(weekdayOf(lead)) - 1) * 86_400_000).toISOString().slice(0, 10)

/** Number and payout of the leads of each key. */
function sumBy(leads: readonly TestLead[], getKey: (lead: TestLead) => string) {
  const groups = [...Map.groupBy(leads, getKey)]
  return Object.fromEntries(
    groups.map(([key, group]) => [
      key,
      { leads: group.length, profit: group.reduce((sum, { cents }) => sum + cents, 0) / 100 },
    ]),
  )
}

interface ExploreItem {
  row: { key: string }
  column: { key: string } | null
  metrics: { leads: number; profit: number }
}

describe.each(Object.keys(zones) as (keyof typeof zones)[])('In %s', (timeZone) => {
  const leads = listLeads(timeZone)
  const days = [...new Set(leads.map(({ day }) => day))]
  let product: Product
  let admin: Session

  beforeAll(async () => {
    product = await createTestApp({ KARVON_TIMEZONE: timeZone })
    const { app } = product
    admin = await signInAdmin(app)
    const sources = '/api/admin/cpa-sources/'
    const source = await createRow(app, admin, sources, { name: 'N', url: 'https://n.example' })
    const rows = leads.map(({ at, cents }, n) => `c-${n},${at},sold,${cents / 100}`)
    const file = { name: 'leads.csv', content: ['external_id,created_at,status,payout', ...rows].join('\n') }
    const form = { source_id: String(source) }
    const answer = await sendFile(app, admin, '/api/admin/leads/import/', file, form)
    if (answer.json<{ imported: number }>().imported !== leads.length) throw new Error(answer.body)
  })
  afterAll(() => product.close())

  const read = async <T>(url: string) => {
    const answer = await callApi(product.app, admin, 'GET', url)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<T>()
  }
  const explore = async (query: string) => {
    const url = `/api/admin/explore?metrics=leads,profit&date_from=${days[0]}&date_to=${days.at(-1)}&${query}`
    const { items } = await read<{ items: ExploreItem[] }>(url)
    return Object.fromEntries(
      items.map(({ row, column, metrics }) => [
        column === null ? row.key : `${row.key} ${column.key}`,
        metrics,
      ]),
    )
  }

  test('Explore and the daily report count each lead once, in its local day and hour', async () => {
    for (const source of ['leads', 'segments']) {
      if (source === 'segments') await buildChangedDays(product.deps.db)
      expect(await explore('rows=day'), source).toEqual(sumBy(leads, ({ day }) => day))
      expect(await explore('rows=week'), source).toEqual(sumBy(leads, mondayOf))
      expect(await explore('rows=weekday'), source).toEqual(sumBy(leads, weekdayOf))
      expect(await explore('rows=hour'), source).toEqual(sumBy(leads, ({ hour }) => hour))
      expect(await explore('rows=hour&columns=day'), source).toEqual(
        sumBy(leads, ({ day, hour }) => `${hour} ${day}`),
      )
    }
    type Daily = { items: { date: string; leads: number; profit: number }[] }
    const { items } = await read<Daily>('/api/admin/report/daily?per_page=100')
    const report = items.map(({ date, leads, profit }) => [date, { leads, profit }])
    expect(Object.fromEntries(report)).toEqual(sumBy(leads, ({ day }) => day))
  })

  test('the list of leads finds the leads of an hour that the clocks skip or repeat', async () => {
    for (const day of days)
      for (const hour of ['0', '1', '2', '3']) {
        const url = `/api/admin/leads/?start_date=${day}&end_date=${day}&hour=${hour}`
        const { meta } = await read<{ meta: { filtered_total: number } }>(url)
        const expected = leads.filter((lead) => lead.day === day && lead.hour === hour)
        expect(meta.filtered_total, `${day} ${hour}:00`).toBe(expected.length)
      }
  })

  test('a schedule has one time on each day, also at a time that the clocks skip or repeat', async () => {
    for (const time of ['00:30', '02:30']) {
      const times = buildTimes('s', '$1::date', '$2::date')
      const rows = await queryRows<{ day: string }>(
        product.deps.db,
        `select t::date::text as day from (select $3::time as time, array[1,2,3,4,5,6,7] as weekdays, null::integer[] as month_days) s
         cross join lateral (${times}) times order by t`,
        [days[0], days[2], time],
      )
      const scheduledDays = rows.map(({ day }) => day)
      // The time of a skipped day is on the next one.
      expect([...new Set(scheduledDays)]).toEqual(days.slice(0, 3))
      expect(scheduledDays).toHaveLength(timeZone === 'Pacific/Apia' ? 4 : 3)
    }
  })
})
