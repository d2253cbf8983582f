import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { TextDimension } from '@karvon/contract/lib/lead-texts.ts'
import { Where } from '../../resources/lists.where.ts'
import { addLeadFilters } from '../rollups/rollups.lead-filters.queries.ts'
import { leadTextColumns } from '../rollups/rollups.text-columns.queries.ts'
import { ownLeadCondition } from '../rollups/rollups.queries.ts'
import { isTime, keyType, timeKey } from './explore.keys.ts'
import type { KeyLimits } from './explore.rollups.queries.ts'
import type { Question, QuestionPeriod } from './explore.question.ts'

const isText = (name: DimensionName): name is TextDimension => Object.hasOwn(leadTextColumns, name)

/** SQL of the sums of a group of leads with one status: their number `n`, their payouts, and the code of their status. */
const sumText = (figure: string): string => {
  if (figure === 'leads') return 'g.n'
  if (figure === 'profit') return `case when c.code = 'sold' then g.payouts else 0 end`
  if (figure === 'hold_amount') return `case when c.code = 'hold' then g.payouts else 0 end`
  return `case when c.code = '${figure}' then g.n else 0 end`
}

const statusCodes = 'select s.id, t.code from statuses s join status_types t on t.id = s.type_id'

/** The same rows as `rollupRowsText`, counted from the leads. */
export function leadRowsText(parameters: Where, question: Question, limits: KeyLimits = {}): string {
  const { dimensions, figures } = question
  const keys = dimensions.map((_, at) => `k${at}`)
  const hasMoney = figures.includes('profit') || figures.includes('hold_amount')
  const groups = question.periods.map((period, position) => {
    const expressions = dimensions.map((name, at) => `${keyText(name, period, parameters)} as k${at}`)
    const payouts = hasMoney ? ', sum(l.payout) as payouts' : ''
    return `select ${[`${position} as p`, ...expressions, 'l.status_id'].join(', ')}, count(*) as n${payouts}
      from leads l ${ownerJoin(question)} where ${leadConditions(parameters, question, { period, limits })}
      group by ${[...keys, 'l.status_id'].join(', ')}`
  })
  return `select ${['p', ...keys, ...figures.map((figure) => `${sumText(figure)} as ${figure}`)].join(', ')}
    from (${groups.join(' union all ')}) g left join (${statusCodes}) c on c.id = g.status_id`
}

const ownerJoin = ({ dimensions }: Question): string =>
  dimensions.includes('buyer') ? 'left join streams o on o.id = l.stream_id' : ''

function keyText(name: DimensionName, period: QuestionPeriod, parameters: Where): string {
  if (isText(name)) return leadTextColumns[name]
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
  // The index has the time. Where clocks go back at midnight, a day starts one hour before its date.
  where
    .and('l.day >= ?', period.start)
    .and('l.day <= ?', period.end)
    .and(`l.created_at >= ?::date - interval '1 hour'`, period.start)
    .and(`l.created_at < ?::date + 1 + interval '1 hour'`, period.end)
  if (viewer !== null) where.and(ownLeadCondition(where, 'l', viewer))
  addLeadFilters(where, filters)
  for (const name of dimensions)
    if (limits[name] !== undefined)
      where.and(`${keyText(name, period, where)} = any(?::${keyType(name)}[])`, limits[name])
  return where.toString()
}
