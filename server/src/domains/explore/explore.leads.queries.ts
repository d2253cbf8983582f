import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import { isMoneyFigure } from '@karvon/contract/explore/explore.metrics.ts'
import { Where } from '../../resources/lists.where.ts'
import { addLeadDays, addLeadFilters } from '../rollups/rollups.lead-filters.queries.ts'
import { isTextDimension, leadTextColumns } from '../rollups/rollups.text-columns.queries.ts'
import { ownLeadCondition } from '../rollups/rollups.queries.ts'
import { isTime, keyColumn, keyType, timeKey } from './explore.keys.ts'
import { statusJoin, statusSum, type KeyLimits } from './explore.rollups.queries.ts'
import type { Question, QuestionPeriod } from './explore.question.ts'

/** The same rows as `rollupRowsSql`, counted from the leads. */
export function leadRowsSql(parameters: Where, question: Question, limits: KeyLimits = {}): string {
  const { dimensions, figures } = question
  const keys = dimensions.map((_, at) => keyColumn(at))
  const hasMoney = figures.some(isMoneyFigure)
  const groups = question.periods.map((period, position) => {
    const expressions = dimensions.map(
      (name, at) => `${keySql(name, period, parameters)} as ${keyColumn(at)}`,
    )
    const payouts = hasMoney ? ', sum(l.payout) as payouts' : ''
    return `select ${[`${position} as period`, ...expressions, 'l.status_id'].join(', ')}, count(*) as leads${payouts}
      from leads l ${ownerJoin(question)} where ${leadConditions(parameters, question, { period, limits })}
      group by ${[...keys, 'l.status_id'].join(', ')}`
  })
  return `select ${['period', ...keys, ...figures.map((figure) => `${statusSum(figure)} as ${figure}`)].join(', ')}
    from (${groups.join(' union all ')}) f ${statusJoin}`
}

const ownerJoin = ({ dimensions }: Question): string =>
  dimensions.includes('buyer') ? 'left join streams o on o.id = l.stream_id' : ''

function keySql(name: DimensionName, period: QuestionPeriod, parameters: Where): string {
  if (isTextDimension(name)) return leadTextColumns[name]
  if (isTime(name)) return timeKey(name, 'l.day', { period, parameters })
  if (name === 'hour') return 'extract(hour from l.created_at)::integer'
  if (name === 'buyer') return 'coalesce(o.user_id, 0)'
  return name === 'source' ? 'l.source_id' : `coalesce(l.${name}_id, 0)`
}

function leadConditions(
  parameters: Where,
  { dimensions, filters, viewer }: Question,
  { period, limits }: { period: QuestionPeriod; limits: KeyLimits },
): string {
  const where = new Where(parameters.values)
  addLeadDays(where, period)
  if (viewer !== null) where.and(ownLeadCondition(where, 'l', viewer))
  addLeadFilters(where, filters)
  for (const name of dimensions)
    if (limits[name] !== undefined)
      where.and(`${keySql(name, period, where)} = any(?::${keyType(name)}[])`, limits[name])
  return where.toString()
}
