import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import type { Where } from '../../resources/lists.where.ts'
import { dayZero, splitPeriod, type DayRange, type SpanList } from '../rollups/rollups.ranges.ts'
import { buyerWithoutStream, ownLeadCondition, ownSourceCondition } from '../rollups/rollups.queries.ts'
import { isTime, keyColumn, keyType, timeKey } from './explore.keys.ts'
import { listUsedDimensions, type Question, type QuestionPeriod } from './explore.question.ts'

/** The keys to which the rows are limited, by dimension. */
export type KeyLimits = Readonly<Partial<Record<DimensionName, readonly string[]>>>

/** SQL of the key of a row, and the condition that it is one of some keys. The condition can use an index. */
interface RowKey {
  readonly key: string
  readonly isOneOf: (keys: readonly unknown[]) => string
}

/** The key of rows of leads without a stream. */
const noKey: RowKey = {
  key: '0::bigint',
  isOneOf: (keys) => String(keys.map(Number).includes(0)),
}

/** Rows of one relation `f`: SQL of the day of a row, its buyer and stream, and whether the figures are subtracted. */
interface Relation {
  readonly from: string
  readonly day: string
  readonly buyer: RowKey
  readonly stream: RowKey
  readonly conditions: readonly string[]
  readonly isSubtracted?: boolean
  /** The rows are of statuses: they have leads and payouts, and `k` has the code of the status. */
  readonly hasStatuses?: boolean
}

/** SQL that joins the code of the status, `k`, to rows `f` of statuses. */
export const statusJoin = `left join (select s.id, t.code from statuses s join status_types t on t.id = s.type_id) k
  on k.id = f.status_id`

/** SQL of a sum from the leads and payouts of rows `f` of statuses. */
export function statusSum(figure: SumFigure): string {
  if (figure === 'leads') return 'f.leads'
  if (figure === 'profit') return `case when k.code = 'sold' then f.payouts else 0 end`
  if (figure === 'hold_amount') return `case when k.code = 'hold' then f.payouts else 0 end`
  return `case when k.code = '${figure}' then f.leads else 0 end`
}

/**
 * SQL of rows whose sums are the figures of a question: `period` (its position), `row_key`, `column_key` and the figures.
 * The rows are rollups and the deltas that are not folded yet.
 */
export function rollupRowsSql(parameters: Where, question: Question, limits: KeyLimits = {}): string {
  return question.periods
    .flatMap((period, position) => {
      const relations = new RollupRelations(parameters, question, period).list()
      return relations.map((relation) =>
        rowsSql(relation, { position, period, parameters, question, limits }),
      )
    })
    .join(' union all ')
}

function rowsSql(
  relation: Relation,
  {
    position,
    period,
    parameters,
    question,
    limits,
  }: { position: number; period: QuestionPeriod; parameters: Where; question: Question; limits: KeyLimits },
): string {
  const keyOf = (name: DimensionName): RowKey => {
    if (name === 'buyer' || name === 'stream') return relation[name]
    const key = isTime(name) ? timeKey(name, relation.day, { period, parameters }) : `f.${name}_id`
    return { key, isOneOf: (keys) => parameters.writeOneOf(key, keys, keyType(name)) }
  }
  const { dimensions, figures, filters } = question
  const keys = dimensions.map((name, at) => `${keyOf(name).key} as ${keyColumn(at)}`)
  const sign = relation.isSubtracted === true ? '-' : ''
  const value = (figure: SumFigure) => (relation.hasStatuses === true ? statusSum(figure) : `f.${figure}`)
  const sums = figures.map((each) => `${sign}(${value(each)}) as ${each}`)
  const conditions = [...relation.conditions]
  const limitsOfKeys = [...Object.entries(filters), ...Object.entries(limits)]
  for (const [name, values] of limitsOfKeys as [DimensionName, readonly unknown[]][])
    conditions.push(keyOf(name).isOneOf(values))
  return `select ${[`${position} as period`, ...keys, ...sums].join(', ')} from ${relation.from}
    where ${['true', ...conditions].join(' and ')}`
}

/** Decides which rollups answer a question with the fewest rows. */
class RollupRelations {
  readonly #parameters: Where
  readonly #question: Question
  readonly #period: QuestionPeriod
  readonly #used: ReadonlySet<DimensionName>

  constructor(parameters: Where, question: Question, period: QuestionPeriod) {
    this.#parameters = parameters
    this.#question = question
    this.#period = period
    this.#used = new Set(listUsedDimensions(question))
  }

  list(): Relation[] {
    const ranges = splitPeriod(this.#period.start, this.#period.end)
    const deltas: Relation = {
      ...this.#streamRows(this.#used.has('status') ? 'status_deltas f' : 'lead_deltas f', [
        this.#between('f.day', ranges.days),
      ]),
      day: 'f.day',
    }
    if ([...this.#used].some(isTime)) return [...this.#listDays(ranges.days), deltas]
    const table = this.#smallestTable()
    const { added, subtracted, longestSpans } = ranges
    return [
      this.#streamRows(this.#joinSpans(table, added), []),
      { ...this.#streamRows(this.#joinSpans(table, subtracted), []), isSubtracted: true },
      this.#streamRows(`${table} f`, ['f.span = 256', this.#between('f.start', longestSpans)]),
      deltas,
    ]
  }

  /** The rows of days. Those of buyers are fewer than those of streams, and leads without a stream have many offers. */
  #listDays(days: DayRange): Relation[] {
    const table = this.#smallestTable()
    const isByStream = table === 'stream_totals' && !this.#used.has('offer')
    if (isByStream && !this.#used.has('stream')) return [this.#buyerDays(days)]
    const rows = this.#streamRows(`${table} f`, ['f.span = 1', this.#between('f.start', days)])
    if (!isByStream || this.#question.viewer !== null) return [rows]
    const rowsWithStream: Relation = {
      ...rows,
      stream: this.#idKey('f.stream_id', (ids) => ids.filter((id) => id !== 0)),
      conditions: [...rows.conditions, 'f.stream_id <> 0'],
    }
    return [rowsWithStream, this.#daysWithoutStream(days)]
  }

  /** Rows of deltas, or of totals by source, offer or stream. */
  #streamRows(from: string, conditions: readonly string[]): Relation {
    const { viewer } = this.#question
    const hasStatuses = this.#used.has('status')
    const buyer = this.#idKey('coalesce(o.user_id, 0)')
    const isOfBuyers = (ids: readonly unknown[]) =>
      `f.stream_id in (select id from streams where ${this.#parameters.writeOneOf('user_id', ids, 'bigint')})`
    return {
      from: `${from} ${this.#used.has('buyer') ? 'left join streams o on o.id = f.stream_id' : ''} ${hasStatuses ? statusJoin : ''}`,
      hasStatuses,
      day: 'f.start',
      stream: this.#idKey('f.stream_id'),
      buyer: {
        key: buyer.key,
        isOneOf: (ids) => (ids.map(Number).includes(0) ? buyer.isOneOf(ids) : isOfBuyers(ids)),
      },
      conditions:
        viewer === null ? conditions : [...conditions, ownLeadCondition(this.#parameters, 'f', viewer)],
    }
  }

  #buyerDays(days: DayRange): Relation {
    const { viewer } = this.#question
    const ownConditions =
      viewer === null
        ? []
        : [
            `f.user_id = ${this.#parameters.addParameter(viewer.userId)}`,
            ownSourceCondition(this.#parameters, 'f', viewer),
          ]
    return {
      from: 'buyer_days f',
      day: 'f.day',
      buyer: {
        key: 'greatest(f.user_id, 0)',
        isOneOf: this.#idKey('f.user_id', (ids) => (ids.includes(0) ? [...ids, buyerWithoutStream] : ids))
          .isOneOf,
      },
      stream: noKey,
      conditions: [...ownConditions, this.#between('f.day', days)],
    }
  }

  #daysWithoutStream(days: DayRange): Relation {
    const conditions = [`f.user_id = ${buyerWithoutStream}`, this.#between('f.day', days)]
    return { from: 'buyer_days f', day: 'f.day', buyer: noKey, stream: noKey, conditions }
  }

  /** The key of a column of ids. `choose` maps the ids of the question to those of the column. */
  #idKey(key: string, choose: (ids: readonly number[]) => readonly number[] = (ids) => ids): RowKey {
    return {
      key,
      isOneOf: (ids) => this.#parameters.writeOneOf(key, choose(ids.map(Number)), 'bigint'),
    }
  }

  #between(column: string, { from, until }: DayRange): string {
    const value = (day: number) => `${dayZero} + ${this.#parameters.addParameter(day)}::integer`
    return `${column} >= ${value(from)} and ${column} < ${value(until)}`
  }

  #joinSpans(table: string, { lengths, starts }: SpanList): string {
    const spans = `unnest(${this.#parameters.addParameter(lengths)}::smallint[], ${this.#parameters.addParameter(starts)}::integer[])`
    return `${spans} c (span, day) join ${table} f on f.span = c.span and f.start = ${dayZero} + c.day`
  }

  #smallestTable(): string {
    const { viewer } = this.#question
    const needsStreams = viewer !== null || this.#used.has('stream') || this.#used.has('buyer')
    if (this.#used.has('status')) return 'status_totals'
    if (needsStreams) return 'stream_totals'
    return this.#used.has('offer') ? 'offer_totals' : 'source_totals'
  }
}
