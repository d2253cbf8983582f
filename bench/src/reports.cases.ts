import { shape, span } from './leads.generate.queries.ts'
import type { Query } from './reports.recount.ts'

export const kinds = ['sources', 'fin', 'stats', 'daily', 'offers', 'streams'] as const
export type Kind = (typeof kinds)[number]
export type Scope = 'admin' | 'user'

/** One line of the table: a report with one kind of query. */
export interface Case {
  kind: Kind
  scope: Scope
  description: string
  queries: readonly Query[]
}

const formatDay = (number: number) =>
  new Date(Date.parse(span.first) + number * 86_400_000).toISOString().slice(0, 10)
const lastDay = shape.days - 1

/** Creates random periods, the same in every run. */
function createRandomPeriods(count: number): Query[] {
  let state = 20_261_121
  const drawDay = () => {
    // The generator of Numerical Recipes.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * shape.days)
  }
  return Array.from({ length: count }, () => {
    const [a, b] = [drawDay(), drawDay()]
    return { start_date: formatDay(Math.min(a, b)), end_date: formatDay(Math.max(a, b)) }
  })
}

/** All days but the first and the last need the most rollup rows. */
const periods: readonly { description: string; queries: readonly Query[] }[] = [
  { description: 'all time', queries: [{}] },
  {
    description: 'last 30 days',
    queries: [{ start_date: formatDay(lastDay - 29), end_date: formatDay(lastDay) }],
  },
  {
    description: 'current month',
    queries: [{ start_date: `${span.last.slice(0, 8)}01`, end_date: span.last }],
  },
  {
    description: 'all but the first and the last day',
    queries: [{ start_date: formatDay(1), end_date: formatDay(lastDay - 1) }],
  },
  { description: '24 arbitrary periods', queries: createRandomPeriods(24) },
  { description: 'all time, one source', queries: [{ source_id: 2 }] },
  { description: 'all time, by another column', queries: [{ sort: 'profit' }] },
  { description: 'all time, 200 rows', queries: [{ per_page: 200 }] },
]

/** The report of sources has no leads, so it has neither periods nor a sort by money. */
const getPeriods = (kind: Kind) => (kind === 'sources' ? [{ description: 'all', queries: [{}] }] : periods)

export const cases: readonly Case[] = (['admin', 'user'] as const).flatMap((scope) =>
  kinds.flatMap((kind) => getPeriods(kind).map((way) => ({ kind, scope, ...way }))),
)
