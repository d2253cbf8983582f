import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Carried } from './postbacks.carried.ts'
import type { HitTold } from './postbacks.read.ts'

/** One hit; `at` is when it came, ISO 8601. */
export interface Hit {
  at: string
  carried: Carried
  /** Whether it comes from the log: its secrets fitted when it came, and are not kept. */
  replayed: boolean
}

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

/** What a hit tells of a lead that it names. */
type Named = HitTold & { external_id: string; word: string }
type Known = NonNullable<Awaited<ReturnType<typeof knownLead>>>

/** Locked, so that what the hit leaves out stays what it is until the intake is done. */
export const knownLead = (trx: Db, sourceId: number, externalId: string, createdAt: string | null = null) =>
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

/**
 * What a hit leaves out stays as it is known: a lead keeps its day, and its money, until it is told otherwise.
 * Without a time of its own, what is known already is no news, and anything else is news as of the hit.
 */
export function leadOf(
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

export const sameWord = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
