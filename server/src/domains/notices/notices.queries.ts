import type { QueryOf } from '@karvon/contract/lib/call.ts'
import type { listNotices } from '@karvon/contract/notices/notices.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { readItem } from '../../resources/lists.answer.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildNamedJson } from '../../resources/named.queries.ts'

const sortable = {
  id: 'n.id',
  created_at: 'n.created_at',
  kind: 'n.kind',
  status: 'n.status',
  attempts: 'n.attempts',
  next_at: 'n.next_at',
  sent_at: 'n.sent_at',
}

/** A notice for the wire, from the row `n`. */
const noticeJson = `json_build_object('id', n.id, 'kind', n.kind,
  'user', ${buildNamedJson('users', 'n.user_id')},
  'text', coalesce(n.text, ''), 'status', n.status, 'attempts', n.attempts, 'last_error', n.last_error, 'unsure', n.unsure,
  'next_at', case when n.status = 'queued' then n.next_at end, 'sent_at', n.sent_at, 'created_at', n.created_at)`

/** Reads a notice for the wire. */
export const readNotice = (trx: Db, id: number) =>
  readItem(trx, `select (${noticeJson})::text as item from notices n where n.id = $1`, id)

/** The list of notices. */
export function buildNoticeList(query: QueryOf<typeof listNotices>): ListDeclaration {
  const pattern = toSearchPattern(query.search)
  return {
    table: 'notices',
    alias: 'n',
    item: { json: noticeJson },
    where: new Where()
      .andEqual(sortable, query)
      .and('n.user_id = ?', query.user_id)
      .and('n.unsure = ?', query.unsure)
      .andDays('n.created_at', query)
      .and('n.text ~* ?', pattern),
    // The rows are counted directly: notices are kept for three months only, and a counter would slow their inserts.
    scopeCondition: 'true',
    order: buildOrderBy({ columns: sortable, sort: query.sort, defaultSort: '-id', tieBreaker: 'n.id' }),
  }
}

/**
 * SQL: whether the person of the notice `n` gets notices of its kind, by the choices of the row `l` of `telegram_links`.
 * Those about security cannot be turned off.
 */
export const isWantedSql = sql<boolean>`coalesce(case n.kind when 'problem' then l.problems when 'delivered' then l.delivered
  when 'digest' then l.digest when 'money' then l.money when 'alert' then l.alerts end, true)`

/** The message of a notice, its own chat id, and the chat, the choices and the language that its person has now. */
export const readNoticeToSend = (db: Db, id: number) =>
  db
    .selectFrom('notices as n')
    .innerJoin('users as u', 'u.id', 'n.user_id')
    .innerJoin('roles as r', 'r.id', 'u.role_id')
    .leftJoin('telegram_links as l', 'l.user_id', 'n.user_id')
    .select(['n.kind', 'n.text', 'n.message', 'n.params', 'n.chat_id as own_chat_id'])
    .select(['l.chat_id', 'u.is_active', 'u.language', 'r.code as role_code', 'u.second_factor'])
    .select(sql<boolean>`coalesce(l.muted_until > now(), false)`.as('is_muted'))
    .select(isWantedSql.as('is_wanted'))
    .where('n.id', '=', id)
    .executeTakeFirstOrThrow()

/** Stores the text of a notice, as its person gets it. */
export async function storeNoticeText(db: Db, id: number, text: string): Promise<void> {
  await db.updateTable('notices').set({ text }).where('id', '=', id).execute()
}
