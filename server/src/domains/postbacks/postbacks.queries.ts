import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import { totalRowsSql } from '../../resources/lists.answer.ts'
import { Where } from '../../resources/lists.where.ts'
import type { RowRange } from '../../platform/http/paging.ts'
import { maskParams, type PostbackParams } from './postbacks.params.ts'
import type { PostbackResult } from './postbacks.result.ts'

/** The validated query of the list. */
interface PostbackQuery {
  source_id?: number
  outcome?: string
  reason?: string
  external_id?: string
  start_date?: string
  end_date?: string
  search?: string
  sort?: string
}

/** The JSON fields of a postback, from the row `p`. */
const columns = `p.id, p.at, p.source_id,
  (select json_build_object('id', s.id, 'name', s.name) from cpa_sources s where s.id = p.source_id) as source,
  p.method, p.address, p.params, p.external_id, p.source_status, p.outcome, p.reason, p.detail, p.lead_id, p.replayed_at`

/** The statement of the log. It returns one row for a page, one row per item for an export. */
export function postbackListText(query: PostbackQuery, span: RowRange): { text: string; values: unknown[] } {
  const search = query.search?.trim() || undefined
  const where = new Where()
    .and('p.source_id = ?', query.source_id)
    .and('p.outcome = ?', query.outcome)
    .and('p.reason = ?', query.reason)
    .and('p.external_id = ?', query.external_id)
    .and('p.external_id ^@ ?', search)
    .and('p.at >= ?::date::timestamptz', query.start_date)
    .and('p.at < (?::date + 1)::timestamptz', query.end_date)
  const condition = where.toString()
  const order = orderBy(query.sort)
  if (span === 'all') {
    const text = `select row_to_json(j)::text as item from (select ${columns} from postbacks p where ${condition} ${order}) j`
    return { text, values: where.values }
  }
  const filtered = where.hasConditions ? `(select count(*) from postbacks p where ${condition})` : 'total'
  const text = `with page as (
      select p.id from postbacks p where ${condition} ${order}
      limit ${where.addParameter(span.size)} offset ${where.addParameter(span.offset)}
    ), items as (select ${columns} from page join postbacks p using (id) ${order})
    select items, count, total, ${filtered} as filtered
    from (select count(*) as count, coalesce(json_agg(row_to_json(items)), '[]')::text as items from items) i,
      (select ${totalRowsSql('postbacks')} as total) t`
  return { text, values: where.values }
}

/** The sort columns are not null. Without `nulls last` PostgreSQL uses their indexes. */
function orderBy(sort = '-at'): string {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  return sort.endsWith('at') ? `order by p.at ${direction}, p.id ${direction}` : `order by p.id ${direction}`
}

/** One postback by id ($1) as JSON text. */
export const postbackText = `select row_to_json(j)::text as row from (select ${columns} from postbacks p where p.id = $1) j`

/** Inserts one postback and its result into the log. `source` is null where no source has the key of the request. */
export async function insertPostback(
  db: Db,
  request: Pick<FastifyRequest, 'method' | 'ip'>,
  source: { id: number; postback_key: string; received_at: string } | null,
  params: PostbackParams,
  { errors: _errors, ...result }: PostbackResult,
): Promise<void> {
  await db
    .insertInto('postbacks')
    .values({
      ...(source !== null && { at: source.received_at }),
      source_id: source?.id ?? null,
      method: request.method,
      address: request.ip,
      params: JSON.stringify(maskParams(params, source?.postback_key ?? null)),
      ...result,
    })
    .execute()
}
