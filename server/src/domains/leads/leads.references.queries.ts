import { sql, type RawBuilder } from 'kysely'
import { lockGroups } from '../../platform/database/lock-keys.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { LeadBatch } from './leads.types.ts'

/**
 * Locks the creation of offers and streams of a source until the end of the transaction, so that two transactions do not
 * create the same row twice. Look for existing rows after this call.
 */
export async function lockReferences(trx: Db, sourceId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockGroups.references}::int, ${sourceId}::int)`.execute(trx)
}

/** How a source refers to an offer or a stream; `extraId` is the id that the source gives it. */
interface Reference {
  name: string | null
  extraId: string | null
}

interface ReferenceRow {
  id: number
  name: string
  extra_id: string | null
}

export type FindId = (reference: Reference) => number | null

/** Finds the ids of the offers and streams that the leads of a batch refer to. */
export interface ReferenceLookups {
  findOfferId: FindId
  findStreamId: FindId
}

/**
 * Finds the offers and streams that a batch refers to, and creates the missing ones. Its first statement takes the
 * shared status lock (`lead_states_read()`), so call it first in a transaction that writes leads.
 *
 * A row with the extra id matches first. Then a row with the same name and no extra id matches; if the lead has no
 * extra id, any row with that name matches. Of several rows the oldest one is used. `streamOwnerId`: the person whom new
 * streams belong to.
 */
export async function resolveReferences(
  trx: Db,
  sourceId: number,
  { leads: batch, streamOwnerId }: Pick<LeadBatch, 'leads' | 'streamOwnerId'>,
): Promise<ReferenceLookups> {
  const offers = listUniqueReferences(
    batch.map((lead) => ({ name: lead.offer, extraId: lead.offer_extra_id })),
  )
  const streams = listUniqueReferences(
    batch.map((lead) => ({ name: lead.stream, extraId: lead.stream_extra_id })),
  )
  let { findOfferId, findStreamId } = await findReferences(trx, { sourceId, offers, streams })
  if (
    offers.every((offer) => findOfferId(offer) !== null) &&
    streams.every((stream) => findStreamId(stream) !== null)
  ) {
    return { findOfferId, findStreamId }
  }
  await lockReferences(trx, sourceId)
  findOfferId = await insertMissing(
    offers,
    await findRows(trx, { table: 'offers', sourceId, references: offers }),
    (newOffers) =>
      trx
        .insertInto('offers')
        .values(newOffers.map((offer) => ({ ...createRow(sourceId, offer), price: 0, affiliate_fee: 0 })))
        .returning(['id', 'name', 'extra_id'])
        .execute(),
  )
  const leadByStream = new Map(
    batch.map((lead) => [referenceKey({ name: lead.stream, extraId: lead.stream_extra_id }), lead]),
  )
  const offerOf = (stream: Reference) => {
    const lead = leadByStream.get(referenceKey(stream))
    const id = lead === undefined ? null : findOfferId({ name: lead.offer, extraId: lead.offer_extra_id })
    return { offer_id: id, offer_name: lead?.offer ?? null }
  }
  findStreamId = await insertMissing(
    streams,
    await findRows(trx, { table: 'streams', sourceId, references: streams }),
    (newStreams) =>
      trx
        .insertInto('streams')
        .values(
          newStreams.map((stream) => ({
            ...createRow(sourceId, stream),
            ...offerOf(stream),
            user_id: streamOwnerId ?? null,
          })),
        )
        .returning(['id', 'name', 'extra_id'])
        .execute(),
  )
  return { findOfferId, findStreamId }
}

const referenceKey = ({ name, extraId }: Reference) => JSON.stringify([extraId, name])

function listUniqueReferences(references: readonly Reference[]): Reference[] {
  const namedReferences = references.filter(({ name, extraId }) => name !== null || extraId !== null)
  return [...new Map(namedReferences.map((reference) => [referenceKey(reference), reference])).values()]
}

type ReferenceTable = 'offers' | 'streams'

/** One round trip for the lock and both look-ups. The row of the lock has an empty table name. */
async function findReferences(
  trx: Db,
  {
    sourceId,
    offers,
    streams,
  }: { sourceId: number; offers: readonly Reference[]; streams: readonly Reference[] },
): Promise<ReferenceLookups> {
  const { rows } = await sql<ReferenceRow & { table: ReferenceTable | '' }>`
    select lead_states_read()::text as table, null::bigint as id, null as name, null as extra_id
    union all select 'offers', * from (${selectReferences({ table: 'offers', sourceId, references: offers })}) o
    union all select 'streams', * from (${selectReferences({ table: 'streams', sourceId, references: streams })}) s
    `.execute(trx)
  const lookupIn = (table: ReferenceTable) => buildLookup(rows.filter((row) => row.table === table))
  return { findOfferId: lookupIn('offers'), findStreamId: lookupIn('streams') }
}

interface ReferenceQuery {
  table: ReferenceTable
  sourceId: number
  references: readonly Reference[]
}

const findRows = async (trx: Db, query: ReferenceQuery): Promise<ReferenceRow[]> =>
  (await selectReferences(query).execute(trx)).rows

/** Joins, because for `name = any(...)` PostgreSQL may choose the trigram index and read it once for each name. */
function selectReferences({ table, sourceId, references }: ReferenceQuery): RawBuilder<ReferenceRow> {
  const names = references.flatMap(({ name }) => (name === null ? [] : [name]))
  const extraIds = references.flatMap(({ extraId }) => (extraId === null ? [] : [extraId]))
  return sql`
    select r.id, r.name, r.extra_id from unnest(${names}::text[]) as lead (name)
      join ${sql.table(table)} r on r.source_id = ${sourceId} and r.name = lead.name
    union
    select r.id, r.name, r.extra_id from unnest(${extraIds}::text[]) as lead (extra_id)
      join ${sql.table(table)} r on r.source_id = ${sourceId} and r.extra_id = lead.extra_id`
}

function buildLookup(rows: readonly ReferenceRow[]): FindId {
  const byExtraId = new Map<string, number>()
  const byName = new Map<string, number>()
  const byNameWithoutExtraId = new Map<string, number>()
  // The oldest rows come last and replace the others.
  for (const { id, name, extra_id } of rows.toSorted((a, b) => b.id - a.id)) {
    if (extra_id === null) byNameWithoutExtraId.set(name, id)
    else byExtraId.set(extra_id, id)
    byName.set(name, id)
  }
  return ({ name, extraId }) => {
    if (extraId === null)
      return name === null ? null : (byNameWithoutExtraId.get(name) ?? byName.get(name) ?? null)
    return byExtraId.get(extraId) ?? (name === null ? null : (byNameWithoutExtraId.get(name) ?? null))
  }
}

/** Inserts references with an extra id first, so that a reference with only the name finds their rows. */
async function insertMissing(
  references: readonly Reference[],
  rows: ReferenceRow[],
  insert: (missing: readonly Reference[]) => Promise<ReferenceRow[]>,
): Promise<FindId> {
  for (const hasExtraId of [true, false]) {
    const findId = buildLookup(rows)
    const missingReferences = references.filter(
      (reference) => (reference.extraId !== null) === hasExtraId && findId(reference) === null,
    )
    // If one extra id has two names, the first name is used.
    const unique = new Map(
      missingReferences.toReversed().map((reference) => [reference.extraId ?? reference.name, reference]),
    )
    if (unique.size > 0) rows.push(...(await insert([...unique.values()].toReversed())))
  }
  return buildLookup(rows)
}

const createRow = (sourceId: number, { name, extraId }: Reference) => ({
  source_id: sourceId,
  name: name ?? extraId ?? '',
  extra_id: extraId,
})
