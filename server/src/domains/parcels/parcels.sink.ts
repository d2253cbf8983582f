import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { facts, foldedOf, newest } from './parcels.sink.queries.ts'
import type { ParcelsTaken, ParcelTold } from './parcels.parcel.ts'

/** Events of one batch; each batch of an import is its own transaction. */
export const parcelBatch = 1000

const attempts = 5

interface Options {
  /** `leave` takes in parcels that are not there yet and nothing of the others. */
  known: 'update' | 'leave'
  /** They come from their owner's order file, and count for the owner's quota. */
  fromOrderFile?: boolean
}

/** The way in for parcels, as far as it is handed to those who read them: {@link takeInParcels} and what follows. */
export type TakeParcels = typeof takeInParcels

/**
 * The one way by which parcels and their events come in. Given a transaction it works inside it; given the
 * database it opens its own and, should it fall victim to a deadlock, runs it once more.
 *
 * - A parcel is unique by owner and order number, an event by parcel, raw code and time: repeating any input
 *   changes nothing, and events may come in any order.
 * - The newest event is the parcel's status; at the same time the further state, then the larger raw code.
 * - What is told of the parcel itself replaces what was told with an older event; what is not told stays.
 */
export async function takeInParcels(
  db: Db,
  batch: readonly ParcelTold[],
  options: Options = { known: 'update' },
): Promise<ParcelsTaken> {
  if (batch.length === 0) return { imported: 0, updated: 0, unchanged: 0 }
  if (db.isTransaction) return takeBatch(db, batch, options)
  return inTransaction(db, (trx) => takeBatch(trx, batch, options), attempts)
}

async function takeBatch(trx: Db, batch: readonly ParcelTold[], options: Options): Promise<ParcelsTaken> {
  const folded = foldedOf(batch)
  const made = await insertNew(trx, folded, options.fromOrderFile === true)
  let known: number[] = []
  const told = new Set(batch.map(({ owner_id, orderno }) => `${owner_id} ${orderno}`))
  if (options.known === 'update' && made.size < told.size) {
    known = (await lockKnown(trx, folded)).filter((id) => !made.has(id))
  }
  const changed = known.length === 0 ? [] : await updateFacts(trx, folded, known)
  const events = await insertEvents(trx, folded, [...made, ...known])
  const moved = new Set(events.filter((id) => !made.has(id)))
  if (moved.size > 0) await restate(trx, [...moved])
  const imported = made.size
  const updated = events.length - imported + changed.filter((id) => !moved.has(id)).length
  return { imported, updated, unchanged: batch.length - imported - updated }
}

async function ids(trx: Db, statement: RawBuilder<{ id: number }>): Promise<number[]> {
  const { rows } = await statement.execute(trx)
  return rows.map((row) => row.id)
}

async function insertNew(trx: Db, folded: RawBuilder<unknown>, fromOrderFile: boolean): Promise<Set<number>> {
  const columns = sql.raw(facts.join(', '))
  return new Set(
    await ids(
      trx,
      sql`with ${folded}
        insert into parcels (orderno, owner_id, day, status_code, status_raw, status_title, eventtime, from_order_file, ${columns})
        select orderno, owner_id, coalesce(day, first_day), code, raw, title, eventtime, ${fromOrderFile}, ${columns}
        from folded order by owner_id, orderno
        on conflict on constraint parcels_owner_id_orderno_key do nothing
        returning id`,
    ),
  )
}

const same = sql.raw('p.orderno = f.orderno and p.owner_id is not distinct from f.owner_id')

async function lockKnown(trx: Db, folded: RawBuilder<unknown>): Promise<number[]> {
  return ids(
    trx,
    sql`with ${folded}
      select p.id from (select distinct orderno, owner_id from told) f join parcels p on ${same}
      order by p.owner_id, p.orderno for update of p`,
  )
}

/** Of two that tell a fact, the one with the newer event is believed. */
async function updateFacts(trx: Db, folded: RawBuilder<unknown>, known: number[]): Promise<number[]> {
  const told = ['day', ...facts]
  const list = (from: string) => sql.raw(told.map((fact) => `${from}.${fact}`).join(', '))
  const merged = sql.raw(
    told
      .map(
        (fact) =>
          `case when c.newer then coalesce(f.${fact}, p.${fact}) else coalesce(p.${fact}, f.${fact}) end as ${fact}`,
      )
      .join(', '),
  )
  const set = sql.raw(told.map((fact) => `${fact} = m.${fact}`).join(', '))
  return ids(
    trx,
    sql`with ${folded}, merged as (
        select p.id, ${merged} from folded f join parcels p on ${same}
        cross join lateral (select f.eventtime >= p.eventtime as newer) c
      )
      update parcels p set ${set}, updated_at = now() from merged m
      where p.id = m.id and p.id = any(${known}::bigint[])
        and (${list('p')}) is distinct from (${list('m')})
      returning p.id`,
  )
}

/** Answers the parcel of each event that was not known. */
async function insertEvents(trx: Db, folded: RawBuilder<unknown>, parcels: number[]): Promise<number[]> {
  return ids(
    trx,
    sql`with ${folded}
      insert into parcel_events (parcel_id, code, raw_code, title, eventtime)
      select distinct on (p.id, f.eventtime, f.raw) p.id, f.code, f.raw, f.title, f.eventtime
      from told f join parcels p on ${same}
      where p.id = any(${parcels}::bigint[])
      order by p.id, f.eventtime, f.raw
      on conflict on constraint parcel_events_once_key do nothing
      returning parcel_id as id`,
  )
}

/** Puts the newest event into the row of each parcel. */
async function restate(trx: Db, parcels: number[]): Promise<void> {
  await sql`
    update parcels p set status_code = n.code, status_raw = n.raw, status_title = n.title,
      eventtime = n.eventtime, updated_at = now()
    from (
      select distinct on (t.parcel_id) t.parcel_id, t.code, t.raw, t.title, t.eventtime
      from (select parcel_id, code, raw_code as raw, title, eventtime from parcel_events
        where parcel_id = any(${parcels}::bigint[])) t
      order by t.parcel_id, ${newest}
    ) n
    where p.id = n.parcel_id and (p.status_raw, p.eventtime) is distinct from (n.raw, n.eventtime)`.execute(
    trx,
  )
}
