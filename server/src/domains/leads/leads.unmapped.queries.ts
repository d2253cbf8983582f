import { toLikePattern } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import type { RowRange } from '../../platform/http/paging.ts'

/** The validated query of the list. */
interface UnmappedQuery {
  source_id?: number
  search?: string
  sort?: string
}

/**
 * Statement of the unmapped source statuses and their counts, read from the partial index of leads without a status.
 * It returns one row for a page, one row per item for an export. On the wire a source status is `word`.
 */
export function unmappedStatusesText(query: UnmappedQuery, span: RowRange): Statement {
  const where = new Where()
  const search = query.search?.trim() || undefined
  where
    .and('u.source_id = ?', query.source_id)
    .and('u.source_status ilike ?', search && toLikePattern(search))
  const order = `${buildOrderBy({ word: 'lower(u.source_status)', leads: 'u.leads' }, query.sort, '-leads', 'u.source_id')}, u.source_status`
  const matched = `with unmapped as materialized (
      select source_id, min(source_status) as source_status, count(*) as leads from leads
      where status_id is null group by source_id, lower(source_status)
    ),
    matched as materialized (select * from unmapped u where ${where.toString()})`
  const item = `json_build_object('source_id', u.source_id, 'source', json_build_object('id', s.id, 'name', s.name),
    'word', u.source_status, 'leads', u.leads)`
  const from = `from matched u join cpa_sources s on s.id = u.source_id ${order}`
  if (span === 'all') return { text: `${matched} select ${item}::text as item ${from}`, values: where.values }
  const text = `${matched},
    page as (select ${item} as item ${from} limit ${where.addParameter(span.size)} offset ${where.addParameter(span.offset)})
    select coalesce(json_agg(item), '[]')::text as items, count(*) as count,
      (select count(*) from unmapped) as total, (select count(*) from matched) as filtered
    from page`
  return { text, values: where.values }
}
