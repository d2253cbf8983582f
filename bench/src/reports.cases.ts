import { shape, span } from './leads.generate.queries.ts'
import type { Query } from './reports.recount.ts'

export const kinds = ['sources', 'fin', 'stats', 'daily', 'offers', 'streams'] as const
export type Kind = (typeof kinds)[number]
export type Scope = 'admin' | 'user'

/** One line of the table: a report, asked for in one way or over many periods. */
export interface Case {
  kind: Kind
  scope: Scope
  asked: string
  queries: readonly Query[]
}

const day = (number: number) =>
  new Date(Date.parse(span.first) + number * 86_400_000).toISOString().slice(0, 10)
const lastDay = shape.days - 1

/** Periods drawn evenly from all there are, the same in every run. */
function arbitraryPeriods(count: number): Query[] {
  let state = 20_261_121
  const draw = () => {
    // Numerical Recipes' generator: good enough to pick days.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * shape.days)
  }
  return Array.from({ length: count }, () => {
    const [a, b] = [draw(), draw()]
    return { start_date: day(Math.min(a, b)), end_date: day(Math.max(a, b)) }
  })
}

/** Whatever a period is made of, one that both begins and ends beside every boundary is made of the most parts. */
const ways: readonly { asked: string; queries: readonly Query[] }[] = [
  { asked: 'all time', queries: [{}] },
  { asked: 'last 30 days', queries: [{ start_date: day(lastDay - 29), end_date: day(lastDay) }] },
  { asked: 'current month', queries: [{ start_date: `${span.last.slice(0, 8)}01`, end_date: span.last }] },
  {
    asked: 'all but the first and the last day',
    queries: [{ start_date: day(1), end_date: day(lastDay - 1) }],
  },
  { asked: '24 arbitrary periods', queries: arbitraryPeriods(24) },
  { asked: 'all time, one source', queries: [{ source_id: 2 }] },
  { asked: 'all time, by another column', queries: [{ sort: 'profit' }] },
  { asked: 'all time, 200 rows', queries: [{ per_page: 200 }] },
]

/** Sources have no leads in them, so neither periods nor money to sort by. */
const waysOf = (kind: Kind) => (kind === 'sources' ? [{ asked: 'all', queries: [{}] }] : ways)

export const cases: readonly Case[] = (['admin', 'user'] as const).flatMap((scope) =>
  kinds.flatMap((kind) => waysOf(kind).map((way) => ({ kind, scope, ...way }))),
)
