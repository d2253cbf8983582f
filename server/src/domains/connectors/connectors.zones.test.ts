import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Product } from '../../../test/app.ts'
import { findDescriptionProblem } from './connectors.check.ts'
import { createTimeParser } from './connectors.parse.ts'

let product: Product

beforeAll(async () => {
  product = await createTestApp()
})
afterAll(() => product.close())

const shortNames =
  'EET CET MET WET EST MST HST EST5EDT PST CST IST BST AST CTT ECT SST PRC GB NZ W-SU UTC GMT Zulu utc'.split(
    ' ',
  )
const otherNames = ['asia/tashkent', 'Asia/Kathmandu', 'Europe/Kyiv', 'Etc/GMT-5', '+05:00', '-03:30']

test('the database reads a time in each accepted time zone as this time there', async () => {
  const zones = [...shortNames, ...otherNames, ...Intl.supportedValuesOf('timeZone')].filter(
    (zone) => findDescriptionProblem({ time: { zone } }) === null,
  )
  expect(zones.length).toBeGreaterThan(400)
  const times = zones.flatMap((zone) =>
    ['2026-01-15 10:00:00', '2026-07-15 10:00:00'].map((local) => {
      const { value } = createTimeParser({ time: { zone } })(local)
      return { zone, local, value }
    }),
  )
  const { rows } = await product.deps.pool.query<{ at: string }>(
    'select extract(epoch from value::timestamptz)::text as at from unnest($1::text[]) with ordinality t (value, n) order by n',
    [times.map(({ value }) => value)],
  )
  const wrongTimes = times.filter(
    ({ zone, local }, i) => formatIn(zone, Number(rows[i]?.at) * 1000) !== local,
  )
  expect(wrongTimes).toEqual([])
})

const formatIn = (timeZone: string, at: number) =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)
