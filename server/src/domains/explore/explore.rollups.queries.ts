import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import type { Where } from '../../resources/lists.where.ts'
import { dayZero, splitPeriod, type DayRange, type SpanList } from '../rollups/rollups.ranges.ts'
import { ownLeadCondition, ownSourceCondition } from '../rollups/rollups.queries.ts'
import { isTime, keyType, timeKey } from './explore.keys.ts'
import { listUsedDimensions, type Question, type QuestionPeriod } from './explore.question.ts'

/** The keys to which the rows are limited, by dimension. */
export type KeyLimits = Readonly<Partial<Record<DimensionName, readonly string[]>>>

/** Rows of one relation `f`: SQL of the day and of the buyer of a row, and whether the figures are subtracted. */
interface Relation {
  readonly from: string
  readonly day: string
  readonly buyer: string
  readonly conditions: readonly string[]
  readonly isSubtracted?: boolean
  /** The rows are of statuses: they have leads and payouts, and `k` has the code of the status. */
  readonly hasStatuses?: boolean
}

const statusJoin = `left join (select s.id, t.code from statuses s join status_types t on t.id = s.type_id) k
  on k.id = f.status_id`

/** SQL of a sum from the leads and payouts of a status. */
function statusSum(figure: SumFigure): string {
  if (figure === 'leads') return 'f.leads'
  if (figure === 'profit') return `case when k.code = 'sold' then f.payouts else 0 end`
  if (figure === 'hold_amount') return `case when k.code = 'hold' then f.payouts else 0 end`
  return `case when k.code = '${figure}' then f.leads else 0 end`
}

/**
 * SQL of rows whose sums are the figures of a question: `p` (the position of the period), `k0`, `k1` (the keys) and the figures.
 * The rows are rollups and the deltas that are not folded yet.
 */
export function rollupRowsText(parameters: Where, question: Question, limits: KeyLimits = {}): string {
  return question.periods
    .flatMap((period, position) => {
      const relations = new RollupRelations(parameters, question, period).list()
      return relations.map((relation) =>
        rowsText(relation, { position, period, parameters, question, limits }),
      )
    })
    .join(' union all ')
}

function rowsText(
  relation: Relation,
  {
    position,
    period,
    parameters,
    question,
    limits,
  }: { position: number; period: QuestionPeriod; parameters: Where; question: Question; limits: KeyLimits },
): string {
  const keyOf = (name: DimensionName) =>
    isTime(name)
      ? timeKey(name, relation.day, { period, parameters })
      : name === 'buyer'
        ? relation.buyer
        : `f.${name}_id`
  const { dimensions, figures, filters } = question
  const keys = dimensions.map((name, at) => `${keyOf(name)} as k${at}`)
  const sign = relation.isSubtracted === true ? '-' : ''
  const value = (figure: SumFigure) => (relation.hasStatuses === true ? statusSum(figure) : `f.${figure}`)
  const sums = figures.map((each) => `${sign}(${value(each)}) as ${each}`)
  const conditions = [...relation.conditions]
  for (const [name, values] of Object.entries(filters) as [DimensionName, readonly unknown[]][]) {
    if (name === 'buyer' && relation.buyer === 'coalesce(o.user_id, 0)' && !values.includes(0))
      conditions.push(
        `f.stream_id in (select id from streams where ${parameters.writeOneOf('user_id', values, 'bigint')})`,
      )
    else conditions.push(parameters.writeOneOf(keyOf(name), values, keyType(name)))
  }
  for (const name of dimensions) {
    const limit = limits[name]
    if (limit !== undefined)
      conditions.push(`${keyOf(name)} = any(${parameters.addParameter(limit)}::${keyType(name)}[])`)
  }
  return `select ${[`${position} as p`, ...keys, ...sums].join(', ')} from ${relation.from}
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
    const hasStatuses = this.#used.has('status')
    const joins = `${this.#ownerJoin()} ${hasStatuses ? statusJoin : ''}`
    const deltas = {
      from: `${hasStatuses ? 'status_deltas' : 'lead_deltas'} f ${joins}`,
      hasStatuses,
      day: 'f.day',
      buyer: 'coalesce(o.user_id, 0)',
      conditions: [this.#between('f.day', ranges.days), ...this.#ownConditions()],
    }
    const needsDays = [...this.#used].some(isTime)
    if (needsDays && this.#canReadOwnerDays()) return [...this.#ownerDays(ranges.days), deltas]
    const table = this.#smallestTable()
    const relation = (from: string, conditions: readonly string[]): Relation => ({
      from: `${from} ${joins}`,
      hasStatuses,
      day: 'f.start',
      buyer: 'coalesce(o.user_id, 0)',
      conditions: [...conditions, ...this.#ownConditions()],
    })
    if (needsDays)
      return [relation(`${table} f`, ['f.span = 1', this.#between('f.start', ranges.days)]), deltas]
    const { added, subtracted, longestSpans } = ranges
    return [
      relation(this.#joinSpans(table, added), []),
      { ...relation(this.#joinSpans(table, subtracted), []), isSubtracted: true },
      relation(`${table} f`, ['f.span = 256', this.#between('f.start', longestSpans)]),
      deltas,
    ]
  }

  #between(column: string, { from, until }: DayRange): string {
    const value = (day: number) => `${dayZero} + ${this.#parameters.addParameter(day)}::integer`
    return `${column} >= ${value(from)} and ${column} < ${value(until)}`
  }

  #joinSpans(table: string, { lengths, starts }: SpanList): string {
    const spans = `unnest(${this.#parameters.addParameter(lengths)}::smallint[], ${this.#parameters.addParameter(starts)}::integer[])`
    return `${spans} c (span, day) join ${table} f on f.span = c.span and f.start = ${dayZero} + c.day`
  }

  #ownerJoin(): string {
    return this.#used.has('buyer') ? 'left join streams o on o.id = f.stream_id' : ''
  }

  #ownConditions(): string[] {
    const { viewer } = this.#question
    return viewer === null ? [] : [ownLeadCondition(this.#parameters, 'f', viewer)]
  }

  #smallestTable(): string {
    const { viewer } = this.#question
    const needsStreams = viewer !== null || this.#used.has('stream') || this.#used.has('buyer')
    if (this.#used.has('status')) return 'status_totals'
    if (needsStreams) return 'stream_totals'
    return this.#used.has('offer') ? 'offer_totals' : 'source_totals'
  }

  #canReadOwnerDays(): boolean {
    if (this.#used.has('stream') || this.#used.has('offer')) return false
    return this.#question.viewer !== null || this.#used.has('buyer')
  }

  /** The days of owners. Leads without a buyer are all leads minus those of owners. */
  #ownerDays(days: DayRange): Relation[] {
    const { viewer, filters } = this.#question
    const owned = { from: 'owner_days f', day: 'f.day', buyer: 'f.user_id' }
    if (viewer !== null) {
      const isOwn = `f.user_id = ${this.#parameters.addParameter(viewer.userId)}`
      const conditions = [
        isOwn,
        ownSourceCondition(this.#parameters, 'f', viewer),
        this.#between('f.day', days),
      ]
      return [{ ...owned, conditions }]
    }
    const ofOwners: Relation = { ...owned, conditions: [this.#between('f.day', days)] }
    if (filters.buyer?.includes(0) === false) return [ofOwners]
    const none = '0::bigint'
    const all: Relation = {
      from: 'source_totals f',
      day: 'f.start',
      buyer: none,
      conditions: ['f.span = 1', this.#between('f.start', days)],
    }
    const withoutOwners: Relation[] = [all, { ...ofOwners, buyer: none, isSubtracted: true }]
    const hasOnlyNone = filters.buyer?.every((id) => id === 0) === true
    return hasOnlyNone ? withoutOwners : [ofOwners, ...withoutOwners]
  }
}
