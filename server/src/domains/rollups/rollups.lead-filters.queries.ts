import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import { momentAfterDay, momentBeforeDay } from '../../platform/database/day-bounds.ts'
import type { Where } from '../../resources/lists.where.ts'
import { isTextDimension, leadTextColumns } from './rollups.text-columns.queries.ts'

export type LeadFilterName = Exclude<DimensionName, 'day' | 'week' | 'month'>

/**
 * The values of filters of leads. A lead has one of the values of each filter. Text '' and id 0 find leads
 * without a value.
 */
export type LeadFilters = Readonly<Partial<Record<LeadFilterName, readonly (number | string)[]>>>

/** Adds the conditions of filters to those of the leads `l`. */
export function addLeadFilters(where: Where, filters: LeadFilters): void {
  for (const [name, values] of Object.entries(filters) as [LeadFilterName, readonly (number | string)[]][])
    where.and(writeLeadFilter(where, name, values))
}

/**
 * Adds the days of the leads `l`. Reports count by day; the indexes have the time.
 */
export function addLeadDays(
  where: Where,
  { start, end }: { start?: string | undefined; end?: string | undefined },
): void {
  where
    .and('l.day >= ?', start)
    .and('l.day <= ?', end)
    .and(`l.created_at >= ${momentBeforeDay('?::date')}`, start)
    .and(`l.created_at < ${momentAfterDay('?::date')}`, end)
}

function writeLeadFilter(where: Where, name: LeadFilterName, values: readonly (number | string)[]): string {
  if (isTextDimension(name)) return where.writeOneOf(leadTextColumns[name], values, 'text')
  switch (name) {
    case 'weekday':
      return where.writeOneOf('extract(isodow from l.day)::integer', values, 'integer')
    case 'hour':
      return where.writeOneOf('extract(hour from l.created_at)::integer', values, 'integer')
    case 'source':
      return where.writeOneOf('l.source_id', values, 'bigint')
    case 'offer':
    case 'stream':
    case 'status': {
      const column = `l.${name}_id`
      return writeIds(values, {
        some: (ids) => where.writeOneOf(column, ids, 'bigint'),
        none: `${column} is null`,
      })
    }
    case 'buyer':
      return writeIds(values, {
        some: (ids) =>
          `l.stream_id in (select id from streams where ${where.writeOneOf('user_id', ids, 'bigint')})`,
        none: 'l.stream_id is null or l.stream_id in (select id from streams where user_id is null)',
      })
  }
}

/** SQL of a filter by ids, where 0 means none. */
function writeIds(
  values: readonly (number | string)[],
  {
    some: matchIds,
    none: noneCondition,
  }: { some: (ids: readonly (number | string)[]) => string; none: string },
): string {
  const ids = values.filter((value) => value !== 0)
  const conditions = [
    ...(ids.length < values.length ? [noneCondition] : []),
    ...(ids.length > 0 ? [matchIds(ids)] : []),
  ]
  return `(${conditions.join(' or ')})`
}
