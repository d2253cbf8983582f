import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { readLeadStates } from '../kit/lead-states.ts'
import { canRetry } from '../kit/pg-errors.ts'
import { secretFits, type Carried } from './postbacks.carried.ts'
import { readHit, type HitTold } from './postbacks.read.ts'
import { detailOf, reasonOf, refused, type Met, type Verdict } from './postbacks.verdict.ts'

/** The lead that a hit tells of, as the intake takes it. */
export interface LeadOfHit {
  external_id: string
  word: string
  payout: string
  currency: string
  created_at: string
  updated_at: string
  offer: string | null
  offer_extra_id: string | null
  stream: null
  stream_extra_id: null
  stream_id: number | null
  comment: string | null
  subs: Record<string, string> | null
}

/** The intake, for one lead within a transaction. */
export type TakeLead = (
  trx: Db,
  sourceId: number,
  lead: LeadOfHit,
) => Promise<{ imported: number; updated: number }>

export interface Source {
  id: number
  is_active: boolean
  postback_key: string
}

/** One hit; `at` is when it came, ISO 8601. */
export interface Hit {
  at: string
  carried: Carried
  /** Whether it comes from the log: its secrets fitted when it came, and are not kept. */
  replayed: boolean
}

export interface Taking {
  takeLead: TakeLead
  /** Of a new lead whose network does not say. */
  currency: string
}

const attempts = 5

/** The lead was made by somebody else between our look at it and the intake. */
class Overtaken extends Error {}

/**
 * Runs `work`, which judges hits by {@link judge} and keeps what it says, in one transaction. It starts over
 * when another transaction was in the way.
 */
export async function judging<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt >= attempts || !(error instanceof Overtaken || canRetry(error))) throw error
    }
  }
}

/** Takes one hit of a source into the leads, or says why not. First in its transaction. */
export async function judge(trx: Db, taking: Taking, source: Source, hit: Hit): Promise<Verdict> {
  const { told, problems, missing } = readHit(hit.carried)
  if (!hit.replayed && !secretFits(hit.carried, source.postback_key))
    return refused('bad_secret', 'The secret is not the source’s key.', told)
  if (!source.is_active) return refused('inactive_source', 'The source is switched off.', told)
  const faults = [...problems, ...missing]
  const detail = faults.map(({ message }) => `${message}.`).join(' ')
  const { external_id, word } = told
  if (problems.length > 0) return refused('bad_value', detail, told, faults)
  if (external_id === null || word === null) return refused('missing_value', detail, told, faults)

  await readLeadStates(trx)
  const known = await knownLead(trx, source.id, external_id, told.created_at)
  const click = told.subs.click ?? null
  const stream = click === null ? null : await streamOf(trx, source.id, click)
  const kept = hit.replayed && known?.stream_id ? known.stream_id : stream
  const lead = leadOf({ ...told, external_id, word }, known, kept, hit, taking.currency)
  const { imported, updated } = await taking.takeLead(trx, source.id, lead)
  if (known === undefined && imported === 0) throw new Overtaken()
  const after = await knownLead(trx, source.id, external_id)
  if (after === undefined) throw new Error('The intake left no lead behind')
  const met: Met = {
    did: imported > 0 ? 'created' : updated > 0 ? 'updated' : 'unchanged',
    older: !sameWord(after.word, word) || after.payout !== Number(lead.payout),
    unknownStream: stream === null ? click : null,
    unmappedWord: after.status_id === null ? after.word : null,
  }
  return {
    outcome: met.did,
    reason: reasonOf(met),
    detail: detailOf(met),
    lead_id: after.id,
    external_id,
    word,
  }
}

/** What a hit tells of a lead that it names. */
type Named = HitTold & { external_id: string; word: string }
type Known = NonNullable<Awaited<ReturnType<typeof knownLead>>>

/** Locked, so that what the hit leaves out stays what it is until the intake is done. */
const knownLead = (trx: Db, sourceId: number, externalId: string, createdAt: string | null = null) =>
  trx
    .selectFrom('leads')
    .select([
      'id',
      'word',
      'status_id',
      'payout',
      'currency',
      'created_at',
      'updated_at',
      'stream_id',
      'comment',
      'subs',
      sql<boolean | null>`created_at = ${createdAt}::timestamptz`.as('made_then'),
    ])
    .where('source_id', '=', sourceId)
    .where('external_id', '=', externalId)
    .forUpdate()
    .executeTakeFirst()

/** A stream of the source by our id, else by the network's, else by name; of several the oldest. */
async function streamOf(trx: Db, sourceId: number, click: string): Promise<number | null> {
  const id = /^\d{1,15}$/.test(click) ? Number(click) : 0
  const { rows } = await sql<{ id: number }>`select id from streams
    where source_id = ${sourceId} and (id = ${id} or extra_id = ${click} or name = ${click})
    order by id = ${id} desc, extra_id = ${click} desc nulls last, id limit 1`.execute(trx)
  return rows[0]?.id ?? null
}

/**
 * What a hit leaves out stays as it is known: a lead keeps its day, and its money, until it is told otherwise.
 * Without a time of its own, what is known already is no news, and anything else is news as of the hit.
 */
function leadOf(
  told: Named,
  known: Known | undefined,
  stream: number | null,
  hit: Hit,
  usualCurrency: string,
): LeadOfHit {
  const same = known !== undefined && tellsTheSame(told, known, stream)
  const subs = { ...(known?.subs as Record<string, string> | undefined), ...told.subs }
  return {
    ...told,
    word: same ? known.word : told.word,
    payout: told.payout ?? String(known?.payout ?? 0),
    currency: told.currency ?? known?.currency ?? usualCurrency,
    created_at: told.created_at ?? known?.created_at ?? told.updated_at ?? hit.at,
    updated_at: told.updated_at ?? (same ? known.updated_at : timeOf(hit, known)),
    stream: null,
    stream_extra_id: null,
    stream_id: stream,
    subs: Object.keys(subs).length === 0 ? null : subs,
  }
}

/**
 * As of when a hit without a time of its own is told: never before what is known already, since of two at the
 * same moment the first to come may be the second here. At the same time the further state wins.
 */
function timeOf({ at, replayed }: Hit, known: Known | undefined): string {
  if (known === undefined || replayed || Date.parse(known.updated_at) < Date.parse(at)) return at
  return known.updated_at
}

/** Whether each thing that a hit tells is so already, or was not known at all. */
function tellsTheSame(told: Named, known: Known, stream: number | null): boolean {
  const repeats = (one: unknown, stored: unknown) => one === null || stored === null || one === stored
  return (
    sameWord(told.word, known.word) &&
    (told.payout === null || Number(told.payout) === known.payout) &&
    repeats(told.currency, known.currency) &&
    repeats(told.comment, known.comment) &&
    repeats(stream, known.stream_id) &&
    known.made_then !== false &&
    Object.entries(told.subs).every(([name, value]) => repeats(value, known.subs?.[name] ?? null))
  )
}

const sameWord = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
