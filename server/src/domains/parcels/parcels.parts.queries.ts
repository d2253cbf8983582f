import { maxNotes } from '@karvon/contract/lib/limits.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { hasRoom } from '../../platform/database/rows.ts'
import type { ListDeclaration } from '../../resources/lists.queries.ts'
import { buildOrderBy, toSearchPattern, Where } from '../../resources/lists.where.ts'
import { buildEventRank } from './parcels.event-rank.ts'
import { eventJson, noteJson } from './parcels.queries.ts'

interface Query {
  sort?: string
  search?: string
}

/** The events of a parcel, by default newest first. `search` matches a part of the title. */
export function buildEventList(parcelId: number, { sort, search }: Query): ListDeclaration {
  const where = new Where().and('e.parcel_id = ?', parcelId)
  const scopeCondition = where.toString()
  where.and('e.title ~* ?', toSearchPattern(search))
  const columns = { eventtime: 'e.eventtime' }
  const order = buildOrderBy({
    columns,
    sort,
    defaultSort: '-eventtime',
    tieBreaker: buildEventRank('e.code', 'e.raw_code'),
  })
  return {
    table: 'parcel_events',
    alias: 'e',
    item: { json: eventJson },
    where,
    scopeCondition,
    order,
  }
}

/** The notes of a parcel, by default newest first. `search` matches a part of the text. */
export function buildNoteList(parcelId: number, { sort, search }: Query): ListDeclaration {
  const where = new Where().and('n.parcel_id = ?', parcelId)
  const scopeCondition = where.toString()
  where.and('n.text ~* ?', toSearchPattern(search))
  const order = buildOrderBy({ columns: { id: 'n.id' }, sort, defaultSort: '-id', tieBreaker: 'n.id' })
  const join = 'join users u on u.id = n.user_id'
  return {
    table: 'parcel_notes',
    alias: 'n',
    join,
    item: { json: noteJson },
    where,
    scopeCondition,
    order,
  }
}

/** A separate statement, because it must see the rows that were committed while the lock was awaited. */
export const hasRoomForNote = (trx: Db, id: number): Promise<boolean> =>
  hasRoom(trx, { table: 'parcel_notes', column: 'parcel_id' }, { id, max: maxNotes })

/** Inserts a note on a parcel. Answers it as JSON text. */
export async function insertNote(
  trx: Db,
  parcelId: number,
  { text, userId }: { text: string; userId: number },
): Promise<string> {
  const { rows } = await sql<{ row: string }>`with n as (
      insert into parcel_notes (parcel_id, text, user_id) values (${parcelId}, ${text}, ${userId}) returning *
    ) select ${sql.raw(noteJson)}::text as row from n join users u on u.id = n.user_id`.execute(trx)
  return rows[0]?.row ?? ''
}
