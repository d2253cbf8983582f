import { containing } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { orderBy, Where } from '../../resources/lists.where.ts'
import type { Span } from '../../platform/http/paging.ts'

/** What the list's query may hold, already checked. */
interface UnmappedQuery {
  source_id?: number
  search?: string
  sort?: string
}

/**
 * The words whose leads have no status, counted in the index of exactly those: as one statement of one row, or
 * for all of them a row an item.
 */
export function unmappedText(query: UnmappedQuery, span: Span): Statement {
  const where = new Where()
  const search = query.search?.trim() || undefined
  where.and('w.source_id = ?', query.source_id).and('w.word ilike ?', search && containing(search))
  const order = `${orderBy({ word: 'lower(w.word)', leads: 'w.leads' }, query.sort, '-leads', 'w.source_id')}, w.word`
  const matched = `with words as materialized (
      select source_id, min(word) as word, count(*) as leads from leads
      where status_id is null group by source_id, lower(word)
    ),
    matched as materialized (select * from words w where ${where.toString()})`
  const item = `json_build_object('source_id', w.source_id, 'source', json_build_object('id', s.id, 'name', s.name),
    'word', w.word, 'leads', w.leads)`
  const from = `from matched w join cpa_sources s on s.id = w.source_id ${order}`
  if (span === 'all') return { text: `${matched} select ${item}::text as item ${from}`, values: where.values }
  const text = `${matched},
    page as (select ${item} as item ${from} limit ${where.value(span.size)} offset ${where.value(span.offset)})
    select coalesce(json_agg(item), '[]')::text as items, count(*) as count,
      (select count(*) from words) as total, (select count(*) from matched) as filtered
    from page`
  return { text, values: where.values }
}
