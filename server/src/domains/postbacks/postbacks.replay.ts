import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { keepAnswer } from '../../platform/database/transaction.ts'
import { postbackText } from './postbacks.queries.ts'
import { judge, judging, type Taking } from './postbacks.take.ts'

// What no fix of ours can mend: the log has no secrets, and not all of what could not be read.
const final: readonly (string | null)[] = ['bad_secret', 'bad_value', 'malformed']

/**
 * Takes a hit of the log once more, as of the time it came; the row then says what became of it. Answers
 * the row. Errors: 404; 409 where that could change nothing, or its source takes nothing.
 */
export function replay(db: Db, taking: Taking, id: number, person: Identity): Promise<RawJson> {
  return judging(db, async (trx) => {
    const row = await trx
      .selectFrom('postbacks')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw notFound('postback')
    if (final.includes(row.reason)) throw new AppError('conflict', `It stays refused: ${row.detail ?? ''}`)
    const source = await trx
      .selectFrom('cpa_sources')
      .select(['id', 'is_active', 'postback_key'])
      .where('id', '=', row.source_id)
      .executeTakeFirst()
    if (source === undefined) throw new AppError('conflict', 'Its source is there no more.')
    const hit = { at: row.at, carried: new Map(Object.entries(row.params)), replayed: true }
    const { outcome, reason, detail, lead_id, external_id, word } = await judge(trx, taking, source, hit)
    // It was taken before, and that stands.
    if (outcome === 'refused' && row.outcome !== 'refused') throw new AppError('conflict', detail)
    const now = { outcome, reason, detail, lead_id, external_id, word }
    await trx
      .updateTable('postbacks')
      .set({ ...now, replayed_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    const before = { outcome: row.outcome, reason: row.reason, lead_id: row.lead_id }
    await audit(trx, person, 'replay', 'postbacks', id, before, { outcome, reason, lead_id })
    const found = await trx.executeQuery<{ row: string }>(CompiledQuery.raw(postbackText, [id]))
    return keepAnswer(trx, new RawJson(found.rows[0]?.row ?? ''))
  })
}
