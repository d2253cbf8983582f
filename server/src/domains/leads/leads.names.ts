import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { LeadTold } from './leads.lead.ts'

/** First key of the advisory locks under which offers and streams of a source are made. */
const NAMES_LOCK = 0x4c454144

/** How a source names an offer or a stream. */
interface Named {
  name: string | null
  extra: string | null
}

interface Row {
  id: number
  name: string
  extra_id: string | null
}

export type Ids = (named: Named) => number | null

/** The offers and streams that leads of a batch name, by how they name them. */
export interface ResolvedNames {
  offer: Ids
  stream: Ids
}

/**
 * Finds the offers and streams that a batch names, and makes those that the source does not have yet. In its
 * first statement it takes `lead_states_read()`, so it comes first in a transaction that brings leads.
 * The source's own id decides; without a row of that id, a row of the same name that has no id of the
 * source's (or any of that name, where the lead tells no id); of several the oldest.
 */
export async function resolveNames(
  trx: Db,
  sourceId: number,
  batch: readonly LeadTold[],
): Promise<ResolvedNames> {
  const offers = distinct(batch.map((lead) => ({ name: lead.offer, extra: lead.offer_extra_id })))
  const streams = distinct(batch.map((lead) => ({ name: lead.stream, extra: lead.stream_extra_id })))
  let { offer, stream } = await found(trx, sourceId, offers, streams)
  if (offers.every((each) => offer(each) !== null) && streams.every((each) => stream(each) !== null)) {
    return { offer, stream }
  }
  // One at a time a source, so that two batches never make the same offer. Once locked, look again.
  await sql`select pg_advisory_xact_lock(${NAMES_LOCK}::int, ${sourceId}::int)`.execute(trx)
  offer = await made(offers, await rowsOf(trx, 'offers', sourceId, offers), (missing) =>
    trx
      .insertInto('offers')
      .values(missing.map((each) => ({ ...columnsOf(sourceId, each), price: 0, affiliate_fee: 0 })))
      .returning(['id', 'name', 'extra_id'])
      .execute(),
  )
  const teller = new Map(
    batch.map((lead) => [keyOf({ name: lead.stream, extra: lead.stream_extra_id }), lead]),
  )
  const offerOf = (named: Named) => {
    const lead = teller.get(keyOf(named))
    const id = lead === undefined ? null : offer({ name: lead.offer, extra: lead.offer_extra_id })
    return { offer_id: id, offer_name: lead?.offer ?? null }
  }
  stream = await made(streams, await rowsOf(trx, 'streams', sourceId, streams), (missing) =>
    trx
      .insertInto('streams')
      .values(missing.map((each) => ({ ...columnsOf(sourceId, each), ...offerOf(each) })))
      .returning(['id', 'name', 'extra_id'])
      .execute(),
  )
  return { offer, stream }
}

const keyOf = ({ name, extra }: Named) => JSON.stringify([extra, name])

function distinct(all: readonly Named[]): Named[] {
  const told = all.filter(({ name, extra }) => name !== null || extra !== null)
  return [...new Map(told.map((each) => [keyOf(each), each])).values()]
}

type Table = 'offers' | 'streams'

/** Both look-ups and the lock in one round trip: the lock's row is left out. */
async function found(
  trx: Db,
  sourceId: number,
  offers: readonly Named[],
  streams: readonly Named[],
): Promise<ResolvedNames> {
  const { rows } = await sql<Row & { table: Table | '' }>`
    select lead_states_read()::text as table, null::bigint as id, null as name, null as extra_id
    union all select 'offers', id, name, extra_id from offers where ${named(sourceId, offers)}
    union all select 'streams', id, name, extra_id from streams where ${named(sourceId, streams)}`.execute(
    trx,
  )
  const of = (table: Table) => matcher(rows.filter((row) => row.table === table))
  return { offer: of('offers'), stream: of('streams') }
}

async function rowsOf(trx: Db, table: Table, sourceId: number, asked: readonly Named[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, name, extra_id from ${sql.table(table)} where ${named(sourceId, asked)}`.execute(trx)
  return rows
}

function named(sourceId: number, asked: readonly Named[]): RawBuilder<unknown> {
  const names = asked.flatMap(({ name }) => (name === null ? [] : [name]))
  const extras = asked.flatMap(({ extra }) => (extra === null ? [] : [extra]))
  return sql`source_id = ${sourceId} and (name = any(${names}::text[]) or extra_id = any(${extras}::text[]))`
}

function matcher(rows: readonly Row[]): Ids {
  const byExtra = new Map<string, number>()
  const byName = new Map<string, number>()
  const byFreeName = new Map<string, number>()
  // The oldest come last, and stay.
  for (const { id, name, extra_id } of rows.toSorted((a, b) => b.id - a.id)) {
    if (extra_id === null) byFreeName.set(name, id)
    else byExtra.set(extra_id, id)
    byName.set(name, id)
  }
  return ({ name, extra }) => {
    if (extra === null) return name === null ? null : (byFreeName.get(name) ?? byName.get(name) ?? null)
    return byExtra.get(extra) ?? (name === null ? null : (byFreeName.get(name) ?? null))
  }
}

/** Those with an id of the source's come first, so that a lead that tells only the name finds them. */
async function made(
  asked: readonly Named[],
  rows: Row[],
  insert: (missing: readonly Named[]) => Promise<Row[]>,
): Promise<Ids> {
  for (const withExtra of [true, false]) {
    const ids = matcher(rows)
    const missing = asked.filter((each) => (each.extra !== null) === withExtra && ids(each) === null)
    // Of two names for one id the first told stays.
    const once = new Map(missing.toReversed().map((each) => [each.extra ?? each.name, each]))
    if (once.size > 0) rows.push(...(await insert([...once.values()].toReversed())))
  }
  return matcher(rows)
}

const columnsOf = (sourceId: number, { name, extra }: Named) => ({
  source_id: sourceId,
  name: name ?? extra ?? '',
  extra_id: extra,
})
