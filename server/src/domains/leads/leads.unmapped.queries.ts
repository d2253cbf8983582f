import type { listUnmappedStatuses } from '@karvon/contract/leads/unmapped.ts'
import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'

/** The validated query of the list. */
type UnmappedQuery = QueryOf<typeof listUnmappedStatuses>

/**
 * The list of unmapped source statuses and their counts, read from the partial index of leads without a status. On the
 * wire a source status is `word`.
 */
export function buildUnmappedList(query: UnmappedQuery): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  const order = buildOrderBy({
    columns: { word: 'lower(u.source_status)', leads: 'u.leads' },
    sort: query.sort,
    defaultSort: '-leads',
    tieBreaker: 'u.source_id',
  })
  return {
    with: `unmapped as materialized (
      select row_number() over () as id, source_id, min(source_status) as source_status, count(*) as leads
      from leads where status_id is null group by source_id, lower(source_status)
    )`,
    table: 'unmapped',
    alias: 'u',
    join: 'join cpa_sources s on s.id = u.source_id',
    item: {
      json: `json_build_object('source_id', u.source_id, 'source', json_build_object('id', s.id, 'name', s.name),
        'word', u.source_status, 'leads', u.leads)`,
    },
    where: new Where()
      .andEqual({ source_id: 'u.source_id', word: 'u.source_status', leads: 'u.leads' }, query)
      .and('u.source_status ~* ?', pattern),
    scopeCondition: 'true',
    order: `${order}, u.source_status`,
  }
}
