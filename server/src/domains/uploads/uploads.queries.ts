import { toLikePattern } from '../../resources/crud.queries.ts'
import { totalRowsSql } from '../../resources/lists.answer.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import type { RowRange } from '../../platform/http/paging.ts'

const sortable = {
  id: 'u.id',
  created_at: 'u.created_at',
  name: 'u.name',
  size: 'u.size',
  status: 'u.status',
  attempts: 'u.attempts',
  next_at: 'u.next_at',
  sent_at: 'u.sent_at',
}

interface UploadQuery {
  status?: string
  user_id?: number
  unsure?: boolean
  start_date?: string
  end_date?: string
  search?: string
  sort?: string
}

/** An upload for the wire, from the row `u`. */
export const uploadJson = `json_build_object('id', u.id, 'name', u.name, 'extension', u.extension, 'size', u.size,
  'description', u.description,
  'user', (select json_build_object('id', p.id, 'name', p.name) from users p where p.id = u.user_id),
  'status', u.status, 'attempts', u.attempts, 'last_error', u.last_error, 'unsure', u.unsure,
  'next_at', case when u.status = 'queued' then u.next_at end, 'sent_at', u.sent_at, 'created_at', u.created_at,
  'file_removed_at', u.file_removed_at)`

/** The list of uploads as one statement with one row. For all uploads, one row for each. */
export function uploadListText(query: UploadQuery, span: RowRange): Statement {
  const where = new Where()
  const search = query.search?.trim() || undefined
  where
    .and('u.status = ?', query.status)
    .and('u.user_id = ?', query.user_id)
    .and('u.unsure = ?', query.unsure)
    .and('u.created_at >= ?::date', query.start_date)
    .and('u.created_at < ?::date + 1', query.end_date)
    .and('u.name ilike ?', search && toLikePattern(search))
  const order = buildOrderBy(sortable, query.sort, '-id', 'u.id')
  const matching = where.toString()
  if (span === 'all') {
    const text = `select ${uploadJson}::text as item from uploads u where ${matching} ${order}`
    return { text, values: where.values }
  }
  const text = `with page as (
      select ${uploadJson} as item from uploads u where ${matching} ${order}
      limit ${where.addParameter(span.size)} offset ${where.addParameter(span.offset)}
    )
    select coalesce(json_agg(item), '[]')::text as items, count(*) as count,
      ${where.hasConditions ? `(select count(*) from uploads u where ${matching})` : totalRowsSql('uploads')} as filtered,
      ${totalRowsSql('uploads')} as total from page`
  return { text, values: where.values }
}
