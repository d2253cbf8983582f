import type { QueryOf } from '@karvon/contract/lib/call.ts'
import { maxHistoryShown, maxNotes } from '@karvon/contract/lib/limits.ts'
import type { listSettlementDifferences } from '@karvon/contract/settlements/differences.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { hasRoom, queryRows } from '../../platform/database/rows.ts'
import { nextUpdatedAt } from '../../platform/database/conflict.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'

/** The fields of a difference, from the row `d`. `currency` is the SQL of the installation's, for a difference without an act. */
const buildFields = (
  currency: string,
) => `'id', d.id, 'kind', d.kind, 'status', d.status, 'orderno', d.orderno,
  'parcel_id', d.parcel_id, 'act', (select json_build_object('id', a.id, 'number', a.number, 'act_date', a.act_date)
    from settlement_lines l join settlement_acts a on a.id = l.act_id where l.id = d.line_id),
  'line_id', d.line_id, 'courier_account_id', d.courier_account_id,
  'courier_account', ${buildNamedJson('courier_accounts', 'd.courier_account_id')},
  'expected', d.expected, 'actual', d.actual, 'difference', d.difference,
  'currency', coalesce((select a.currency from settlement_lines l join settlement_acts a on a.id = l.act_id
    where l.id = d.line_id), ${currency}::text),
  'assignee_id', d.assignee_id, 'assignee', ${buildNamedJson('users', 'd.assignee_id')}, 'reason', d.reason,
  'resolved_by', ${buildNamedJson('users', 'd.resolved_by')}, 'resolved_at', d.resolved_at,
  'notes_total', (select count(*) from settlement_notes n where n.difference_id = d.id),
  'created_at', d.created_at, 'updated_at', d.updated_at`

/** The list of differences, by default the newest first. */
export function buildDifferenceList(
  query: QueryOf<typeof listSettlementDifferences>,
  currency: string,
): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  const columns = {
    id: 'd.id',
    created_at: 'd.created_at',
    updated_at: 'd.updated_at',
    orderno: 'd.orderno',
    difference: 'd.difference',
    kind: 'd.kind',
    status: 'd.status',
  }
  const unsortable = {
    parcel_id: 'd.parcel_id',
    line_id: 'd.line_id',
    expected: 'd.expected',
    actual: 'd.actual',
    resolved_at: 'd.resolved_at',
  }
  const where = new Where()
    .andEqual({ ...columns, ...unsortable }, query)
    .and('d.courier_account_id = ?', query.courier_account_id)
    .and('d.line_id in (select id from settlement_lines where act_id = ?)', query.act_id)
    .and('coalesce(d.assignee_id, 0) = ?', query.assignee_id)
    .andDays('d.created_at', query)
    .and('d.orderno ~* ?', pattern)
  const json = `json_build_object(${buildFields(where.addParameter(currency))})`
  return {
    table: 'settlement_differences',
    alias: 'd',
    item: { json },
    where,
    order: buildOrderBy({
      columns: { ...columns, assignee_id: 'd.assignee_id' },
      sort: query.sort,
      defaultSort: '-created_at',
      tieBreaker: 'd.id',
    }),
  }
}

/** The act whose line settled the parcel of the difference `d`; null if that is the line of `d`. */
const settledBySql = `(
    select case when f.id <> d.line_id then json_build_object(
      'id', a.id, 'number', a.number, 'act_date', a.act_date, 'unlisted_at', a.unlisted_at) end
    from settlement_lines f join settlement_acts a on a.id = f.act_id
    where d.kind = 'settled_twice' and f.parcel_id = d.parcel_id and f.removed_at is null
    order by a.act_date, f.act_id, f.id limit 1)`

/** One difference by id ($1) with its newest notes as JSON text; $2 is the currency. */
const differenceSql = `select json_build_object(${buildFields('$2')}, 'settled_by', ${settledBySql}, 'notes', (
    select coalesce(json_agg(json_build_object('id', n.id, 'text', n.text,
      'user', json_build_object('id', u.id, 'name', u.name), 'created_at', n.created_at) order by n.id desc), '[]')
    from (select * from settlement_notes h where h.difference_id = d.id order by h.id desc limit ${maxHistoryShown}) n
    join users u on u.id = n.user_id))::text as row
  from settlement_differences d where d.id = $1`

/** Reads a difference with its notes as JSON text; null if there is none. */
export async function readDifference(db: Db, id: number, currency: string): Promise<string | null> {
  const rows = await queryRows<{ row: string }>(db, differenceSql, [id, currency])
  return rows[0]?.row ?? null
}

/** What a person can change of a difference. */
export interface DifferenceState {
  status: 'open' | 'resolved'
  assignee_id: number | null
  reason: string | null
  resolved_by: number | null
}

/** Locks a difference, so that its notes can be counted; undefined if there is none. */
export async function lockDifference(
  trx: Db,
  id: number,
  expectedUpdatedAt: string | null,
): Promise<(DifferenceState & { is_same_version: boolean }) | undefined> {
  const { rows } = await sql<DifferenceState & { is_same_version: boolean }>`
    select status, assignee_id, reason, resolved_by,
      coalesce(updated_at = ${expectedUpdatedAt}::timestamptz, true) as is_same_version
    from settlement_differences where id = ${id} for no key update`.execute(trx)
  return rows[0]
}

/** Stores what changed of a difference. Another person or another status also changes when it was resolved. */
export async function updateDifference(
  trx: Db,
  id: number,
  changes: Partial<DifferenceState>,
): Promise<void> {
  const isResolved = typeof changes.resolved_by === 'number'
  await trx
    .updateTable('settlement_differences')
    .set({ ...changes, updated_at: nextUpdatedAt })
    .$if(isResolved, (query) => query.set({ resolved_at: sql<string>`now()` }))
    .$if(changes.status === 'open', (query) => query.set({ resolved_at: null }))
    .where('id', '=', id)
    .execute()
}

/** A separate statement, because it must see the rows that were committed while the lock was awaited. */
export const hasRoomForDifferenceNote = (trx: Db, id: number): Promise<boolean> =>
  hasRoom(trx, { table: 'settlement_notes', column: 'difference_id' }, { id, max: maxNotes })

export async function insertDifferenceNote(
  trx: Db,
  id: number,
  { text, userId }: { text: string; userId: number },
): Promise<void> {
  await trx.insertInto('settlement_notes').values({ difference_id: id, user_id: userId, text }).execute()
}
