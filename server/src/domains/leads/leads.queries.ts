import { maxHistoryShown } from '@karvon/contract/lib/limits.ts'
import type pg from 'pg'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import { ownLeadCondition } from '../rollups/rollups.queries.ts'

/** The JSON fields of a lead, from the row `l`. */
export const leadSelectColumns = `l.id, l.external_id, l.source_id, ${buildNamedJson('cpa_sources', 'l.source_id')} as source,
  l.offer_id, ${buildNamedJson('offers', 'l.offer_id')} as offer, l.stream_id, ${buildNamedJson('streams', 'l.stream_id')} as stream,
  l.source_status, l.status_id, ${buildNamedJson('statuses', 'l.status_id')} as status,
  l.is_status_overridden,
  (select st.code from statuses s join status_types st on st.id = s.type_id where s.id = l.status_id) as "column",
  l.payout, l.currency, l.comment, l.subs, l.region, l.cancel_reason, l.day, l.created_at, l.updated_at`

const changeJson = `json_build_object('source_status', c.source_status, 'status', ${buildNamedJson('statuses', 'c.status_id')}, 'payout', c.payout, 'currency', c.currency,
  'origin', c.origin, 'reason', c.reason, 'source_time', c.source_time, 'recorded_at', c.recorded_at)`

function buildLeadCondition(id: number, viewer: Viewer | null): Where {
  const where = new Where().and('l.id = ?', id)
  return viewer === null ? where : where.and(ownLeadCondition(where, 'l', viewer))
}

/** Reads a lead with its newest changes as JSON text; null if there is none. A viewer finds only own leads. */
export async function readLead(pool: pg.Pool, id: number, viewer: Viewer | null): Promise<string | null> {
  const where = buildLeadCondition(id, viewer)
  const text = `select row_to_json(j)::text as row from (
    select ${leadSelectColumns}, (
      select coalesce(json_agg(${changeJson} order by c.id desc), '[]') from (
        select * from lead_history h where h.lead_id = l.id order by h.id desc limit ${maxHistoryShown}) c
    ) as history, (select count(*) from lead_history c where c.lead_id = l.id) as history_total
    from leads l where ${where.toString()}) j`
  const { rows } = await pool.query<{ row: string }>(text, where.values)
  return rows[0]?.row ?? null
}

/** True if a lead exists. A viewer finds only own leads. */
export async function hasLead(pool: pg.Pool, id: number, viewer: Viewer | null): Promise<boolean> {
  const where = buildLeadCondition(id, viewer)
  return (await pool.query(`select from leads l where ${where.toString()}`, where.values)).rowCount !== 0
}

/** The history of a lead, newest first unless sorted. `search` matches a part of the source status. */
export function buildLeadChangeList(
  id: number,
  { sort, search }: { sort?: string; search?: string },
): ListDeclaration {
  const where = new Where().and('c.lead_id = ?', id)
  const scopeCondition = where.toString()
  where.and('c.source_status ~* ?', toSearchPattern(search))
  const order = `order by c.id ${sort === 'recorded_at' ? 'asc' : 'desc'}`
  return {
    table: 'lead_history',
    alias: 'c',
    item: { json: changeJson },
    where,
    scopeCondition,
    order,
  }
}
