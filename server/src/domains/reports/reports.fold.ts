import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { dayZero, spans } from '../rollups/rollups.cover.ts'
import { figures } from '../rollups/rollups.queries.ts'

/** Deltas that one fold takes: more of them meet in the same totals, but a change of a stream's owner waits longer. */
const foldSize = 20_000

/** Deltas so few that autovacuum is soon enough for what they leave behind. */
const few = 5000

/** Milliseconds. */
const patience = 120_000

const list = (of: readonly string[], write = (each: string) => each) => of.map(write).join(', ')

/** Counts stay integers, as the totals keep them. */
const sums = list(figures, (each) =>
  each === 'profit' || each === 'hold_amount'
    ? `sum(${each}) as ${each}`
    : `sum(${each})::integer as ${each}`,
)

/** A CTE that adds `rows`, one a key, to totals; ordered as their index is. */
function addedText(table: string, keys: readonly string[], rows: string): string {
  const key = list(keys)
  const adding = list(figures, (each) => `${each} = ${table}.${each} + excluded.${each}`)
  return `${table}_added as (
    insert into ${table} (${key}, ${list(figures)}) select ${key}, ${list(figures)} from ${rows} order by ${key}
    on conflict (${key}) do update set ${adding}
  )`
}

/** $1: how many deltas. Ids may be committed out of order; one that comes in late is among the next fold's oldest. */
const foldText = `with taken as (
    delete from lead_deltas where id <= (select max(id) from (select id from lead_deltas order by id limit $1) d)
    returning *
  ),
  by_stream as materialized (
    select s.span, ${dayZero} + (t.day - ${dayZero}) / s.span * s.span as start, source_id, stream_id, offer_id, ${sums}
    from (select day, source_id, stream_id, offer_id, ${sums} from taken group by 1, 2, 3, 4) t
    cross join unnest('{${list(spans.map(String))}}'::smallint[]) s (span)
    group by 1, 2, 3, 4, 5
  ),
  by_offer as materialized (
    select span, start, source_id, offer_id, ${sums} from by_stream group by 1, 2, 3, 4
  ),
  by_source as (
    select span, start, source_id, ${sums} from by_offer group by 1, 2, 3
  ),
  by_owner as (
    select s.user_id, b.start as day, b.source_id, ${sums}
    from by_stream b join streams s on s.id = b.stream_id
    where b.span = 1 and s.user_id is not null group by 1, 2, 3
  ),
  ${addedText('source_totals', ['span', 'start', 'source_id'], 'by_source')},
  ${addedText('offer_totals', ['span', 'start', 'source_id', 'offer_id'], 'by_offer')},
  ${addedText('stream_totals', ['span', 'start', 'source_id', 'stream_id', 'offer_id'], 'by_stream')},
  ${addedText('owner_days', ['user_id', 'day', 'source_id'], 'by_owner')}
  select count(*)::integer as folded from taken`

/**
 * Adds the oldest deltas to the totals and answers how many they were. One statement: whoever reads at the
 * same time sees each delta either by itself or in the totals, and a kill leaves it where it was.
 */
export async function foldDeltas(db: Db, size = foldSize): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // What a fold sums up stays in memory.
    await sql`select set_config('work_mem', '128MB', true), set_config('statement_timeout', ${String(patience)}, true),
      stream_owners_lock()`.execute(trx)
    const { rows } = await trx.executeQuery<{ folded: number }>(CompiledQuery.raw(foldText, [size]))
    return rows[0]?.folded ?? 0
  })
}

export const foldJob = ({ db, pool }: Deps): Job => ({
  name: 'fold-lead-deltas',
  every: 1000,
  timeout: patience,
  alone: true,
  run: async () => {
    const folded = await foldDeltas(db)
    // Every report reads the whole table of deltas: it stays as small as what is in it.
    if (folded > few) await pool.query('vacuum lead_deltas')
    return { more: folded === foldSize }
  },
})
