import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { readLeadStates } from '../leads/lead-states.ts'
import { canRetry } from '../../platform/database/pg-errors.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { secretFits } from './postbacks.carried.ts'
import { knownLead, leadOf, sameWord, type Hit, type LeadOfHit } from './postbacks.lead.ts'
import { readHit } from './postbacks.read.ts'
import { detailOf, reasonOf, refused, type Met, type Verdict } from './postbacks.verdict.ts'

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
export function judging<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, work, attempts, (error) => error instanceof Overtaken || canRetry(error))
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

/** A stream of the source by our id, else by the network's, else by name; of several the oldest. */
async function streamOf(trx: Db, sourceId: number, click: string): Promise<number | null> {
  const id = /^\d{1,15}$/.test(click) ? Number(click) : 0
  const { rows } = await sql<{ id: number }>`select id from streams
    where source_id = ${sourceId} and (id = ${id} or extra_id = ${click} or name = ${click})
    order by id = ${id} desc, extra_id = ${click} desc nulls last, id limit 1`.execute(trx)
  return rows[0]?.id ?? null
}
