import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { readLeadStates } from './lead-states.ts'
import { followed } from './leads.history.queries.ts'
import { meaningOf } from './leads.mapping.queries.ts'
import { leadTransaction } from './leads.transaction.ts'

/** Leads that follow in one transaction: whoever else changes one of them waits no longer than that. */
const batch = 1000

interface Remap {
  id: number
  source_id: number
  word: string
}

/** `newest` starts with what was mapped last; `most` bounds the leads that one word takes along in a run. */
export interface Following {
  newest?: boolean
  most?: number
}

/**
 * Brings stored leads to what their words mean now, word by word, until `signal` aborts; `more` when words are
 * left, `leads` those that were looked at. A word leaves `lead_remaps` once all its leads have followed, so that a run that was cut off is taken up
 * by the next one; several at once are harmless.
 */
export async function followMapping(
  db: Db,
  signal: AbortSignal,
  { newest = false, most }: Following = {},
): Promise<{ more: boolean; leads: number }> {
  for (let leads = 0; ;) {
    const { rows } = await sql<Remap>`
      select id, source_id, word from lead_remaps order by id ${sql.raw(newest ? 'desc' : 'asc')} limit 1`.execute(
      db,
    )
    const [remap] = rows
    if (remap === undefined) return { more: false, leads }
    if (signal.aborted) return { more: true, leads }
    const found = await follow(db, remap, signal, most)
    leads += found.leads
    if (!found.all) return { more: true, leads }
    // A word that was mapped once more meanwhile has another id by now.
    await sql`delete from lead_remaps where id = ${remap.id}`.execute(db)
  }
}

/** `all`: none of the word's leads are left. Which they are is read once, and kept by the database. */
async function follow(
  db: Db,
  remap: Remap,
  signal: AbortSignal,
  most?: number,
): Promise<{ all: boolean; leads: number }> {
  return db.connection().execute(async (one) => {
    // Who waits for it does not wait for a word of millions of leads to be looked through.
    await sql`set statement_timeout = ${sql.lit(most === undefined ? '10min' : '2s')}`.execute(one)
    try {
      await sql`
        declare following cursor with hold for
        select id from leads l
        where source_id = ${remap.source_id} and lower(word) = ${remap.word} and by_word
          and status_id is distinct from (select status_id from (${meaning(remap)}) m)
        limit ${most ?? null}`.execute(one)
    } finally {
      await sql`reset statement_timeout`.execute(one)
    }
    try {
      for (let leads = 0; ;) {
        if (signal.aborted) return { all: false, leads }
        const { rows } = await sql<{ id: number }>`fetch ${sql.lit(batch)} from following`.execute(one)
        if (rows.length === 0) return { all: leads !== most, leads }
        leads += rows.length
        await followBatch(
          one,
          remap,
          rows.map(({ id }) => id),
        )
      }
    } finally {
      await sql`close following`.execute(one)
    }
  })
}

const meaning = (remap: Remap) => meaningOf(remap.source_id, sql`${remap.word}::text`)

/** Only what its source tells changes a lead's time: what a word means is no news of the lead. */
function followBatch(db: Db, remap: Remap, ids: readonly number[]): Promise<void> {
  const those = sql`l.id = any(${ids}::bigint[]) and l.by_word and lower(l.word) = ${remap.word}`
  return leadTransaction(db, async (trx) => {
    await readLeadStates(trx)
    await sql`select 1 from leads l where ${those} order by l.external_id for update`.execute(trx)
    await sql`
      with meant as (
        select l.id, l.status_id as old_status_id, (select status_id from (${meaning(remap)}) m) as status_id
        from leads l where ${those}
      ),
      changed as (
        update leads l set status_id = m.status_id from meant m
        where l.id = m.id and l.status_id is distinct from m.status_id
        returning l.id, l.stream_id, l.word, l.status_id, l.payout, l.updated_at as source_time,
          l.word as old_word, m.old_status_id, l.payout as old_payout
      ),
      ${followed({ origin: 'mapping' })}
      select 1`.execute(trx)
  })
}
