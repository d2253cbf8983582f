import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id } from '../lib/field.ts'
import { format } from '../lib/format.ts'
import { maxExploreColumns, maxExploreNames, maxExplorePeriods, maxExploreRows } from '../lib/limits.ts'
import { Day, filterValues, nullable, OneOf, PayoutCurrencies, TextFilterValues } from '../lib/schemas.ts'
import { dimensionNames } from './explore.dimensions.ts'
import { metricNames } from './explore.metrics.ts'
import { periodNames } from '../lib/period-names.ts'
import { comparisonNames } from './explore.periods.ts'

/**
 * A key of a dimension. `kind` is `value`, `none` (the leads without a value) or `rest` (all keys that the top N leaves out).
 * `key` is the text of the key, as filters take it: an id, a number, the first day of a period, or a text.
 */
const Member = Type.Object({
  kind: OneOf(['value', 'none', 'rest']),
  key: nullable(Type.String()),
  name: nullable(Type.String({ description: 'The name of the row with this id' })),
})
export type Member = Static<typeof Member>

const metricsOf = <const Value extends Parameters<typeof Type.Record>[1]>(
  value: Value,
  description: string,
) => Type.Record(Type.String(), value, { description })

/** The compared figure: `difference` is the figure minus it; `percent` is of it, and null if it is 0. */
const Compared = Type.Object({
  value: nullable(Type.Number()),
  difference: nullable(Type.Number()),
  percent: nullable(Type.Number()),
})
export type Compared = Static<typeof Compared>

const figures = {
  metrics: metricsOf(
    nullable(Type.Number()),
    'The metrics by name; money adds the payouts in all currencies',
  ),
  compared: nullable(metricsOf(Compared, 'The same metrics of the compared period')),
}
export const ExploreFigures = Type.Object(figures)
export type ExploreFigures = Static<typeof ExploreFigures>

/** The leads of a row, or of a row and a column. */
const Item = Type.Object({ row: Member, column: nullable(Member), ...figures })
export type ExploreItem = Static<typeof Item>

const Margin = Type.Object({ member: Member, ...figures })
export type ExploreMargin = Static<typeof Margin>

const Period = Type.Object({ start: nullable(Day), end: nullable(Day) })

/**
 * `items` are the cells that have leads, with the rest: they add up to `totals`. `row_totals` and `column_totals` are in
 * the order to show, and `row_count` and `column_count` are the numbers of all keys. With one dimension the
 * items are the row totals. `currencies` follow the filters by source, stream and buyer.
 */
const ExploreAnswer = Type.Object({
  items: Type.Array(Item, { maxItems: (maxExplorePeriods + 1) * (maxExploreColumns + 1) }),
  totals: ExploreFigures,
  meta: Type.Object({
    rows: OneOf(dimensionNames),
    columns: nullable(OneOf(dimensionNames)),
    metrics: Type.Array(OneOf(metricNames), { maxItems: metricNames.length }),
    sort: OneOf(metricNames),
    period: Period,
    compared_period: nullable(Period),
    currencies: PayoutCurrencies,
    row_totals: Type.Array(Margin, { maxItems: maxExplorePeriods + 1 }),
    column_totals: Type.Array(Margin, { maxItems: maxExploreColumns + 1 }),
    row_count: Type.Integer(),
    column_count: Type.Integer(),
  }),
})
export type ExploreAnswer = Static<typeof ExploreAnswer>

const ids = filterValues(Id)

/**
 * A filter has the name of its dimension. Id 0 finds leads without an offer, a stream, a buyer or a status. `without` names
 * texts, with commas: leads that have no value there are among those that the filter by this text finds. `date_from` and
 * `date_to` win over `period`.
 */
export const exploreQuery = Type.Partial(
  Type.Object({
    rows: OneOf(dimensionNames),
    columns: OneOf(dimensionNames),
    metrics: Type.String({
      maxLength: maxExploreNames,
      description: 'Names, separated by commas; the rows are sorted by the first one',
    }),
    sort: OneOf(metricNames),
    period: OneOf(periodNames),
    date_from: Day,
    date_to: Day,
    compare: OneOf(comparisonNames),
    top_rows: Type.Integer({ minimum: 1, maximum: maxExploreRows, default: 20 }),
    top_columns: Type.Integer({ minimum: 1, maximum: maxExploreColumns, default: 10 }),
    day: Day,
    week: Day,
    month: Day,
    weekday: filterValues(Type.Integer({ minimum: 1, maximum: 7 })),
    hour: filterValues(Type.Integer({ minimum: 0, maximum: 23 })),
    source: ids,
    offer: ids,
    stream: ids,
    buyer: ids,
    status: ids,
    region: TextFilterValues,
    cancel_reason: TextFilterValues,
    sub1: TextFilterValues,
    sub2: TextFilterValues,
    sub3: TextFilterValues,
    without: Type.String({ maxLength: maxExploreNames }),
    format,
  }),
)
export type ExploreQuery = Static<typeof exploreQuery>

/** An admin explores all leads, a person the leads of own streams at the sources of the role. */
export const exploreCall = (scope: 'admin' | 'user') =>
  call({
    id: `explore.${scope}`,
    summary: 'Read figures of leads by one or two dimensions',
    method: 'GET',
    path: `/api/${scope}/explore`,
    feature: 'explore',
    guard: scope === 'admin' ? 'admin' : 'person',
    query: exploreQuery,
    answer: ExploreAnswer,
  })

export const exploreCalls = (['admin', 'user'] as const).map(exploreCall)
