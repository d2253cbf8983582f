import { CompiledQuery, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import { dayZero, spanLengths } from '../rollups/rollups.ranges.ts'
import { figures } from '../rollups/rollups.queries.ts'

/** More deltas per fold mean fewer updates of totals, but a change of a stream owner waits longer. */
export const maxDeltasPerFold = 20_000

/** Milliseconds. */
export const foldTimeout = 120_000

const joinWithCommas = (names: readonly string[], format = (name: string) => name) =>
  names.map(format).join(', ')

/** Counts stay integers, as in the rollup tables. */
const figureSums = joinWithCommas(figures, (each) =>
  each === 'profit' || each === 'hold_amount'
    ? `sum(${each}) as ${each}`
    : `sum(${each})::integer as ${each}`,
)

/** A CTE that adds `rows`, one per key, to a rollup table, in the order of its index. */
function addToTotalsText(
  table: string,
  keys: readonly string[],
  { rows, sums = figures }: { rows: string; sums?: readonly string[] },
): string {
  const key = joinWithCommas(keys)
  const additions = joinWithCommas(sums, (each) => `${each} = ${table}.${each} + excluded.${each}`)
  return `${table}_added as (
    insert into ${table} (${key}, ${joinWithCommas(sums)}) select ${key}, ${joinWithCommas(sums)} from ${rows} order by ${key}
    on conflict (${key}) do update set ${additions}
  )`
}

/** $1: the number of deltas. Ids may be committed out of order; the next fold takes a late one first. */
const foldText = `with removed as (
    delete from lead_deltas where id <= (select max(id) from (select id from lead_deltas order by id limit $1) d)
    returning *
  ),
  by_stream as materialized (
    select s.span, ${dayZero} + (t.day - ${dayZero}) / s.span * s.span as start, source_id, stream_id, offer_id, ${figureSums}
    from (select day, source_id, stream_id, offer_id, ${figureSums} from removed group by 1, 2, 3, 4) t
    cross join unnest('{${joinWithCommas(spanLengths.map(String))}}'::smallint[]) s (span)
    group by 1, 2, 3, 4, 5
  ),
  by_offer as materialized (
    select span, start, source_id, offer_id, ${figureSums} from by_stream group by 1, 2, 3, 4
  ),
  by_source as (
    select span, start, source_id, ${figureSums} from by_offer group by 1, 2, 3
  ),
  by_owner as (
    select s.user_id, b.start as day, b.source_id, ${figureSums}
    from by_stream b join streams s on s.id = b.stream_id
    where b.span = 1 and s.user_id is not null group by 1, 2, 3
  ),
  ${addToTotalsText('source_totals', ['span', 'start', 'source_id'], { rows: 'by_source' })},
  ${addToTotalsText('offer_totals', ['span', 'start', 'source_id', 'offer_id'], { rows: 'by_offer' })},
  ${addToTotalsText('stream_totals', ['span', 'start', 'source_id', 'stream_id', 'offer_id'], { rows: 'by_stream' })},
  ${addToTotalsText('owner_days', ['user_id', 'day', 'source_id'], { rows: 'by_owner' })}
  select count(*)::integer as folded from removed`

const statusFigures = ['leads', 'payouts'] as const

/** The same for the deltas of statuses. */
const foldStatusesText = `with removed as (
    delete from status_deltas where id <= (select max(id) from (select id from status_deltas order by id limit $1) d)
    returning *
  ),
  by_status as (
    select s.span, ${dayZero} + (t.day - ${dayZero}) / s.span * s.span as start, source_id, status_id,
      sum(leads)::integer as leads, sum(payouts) as payouts
    from (
      select day, source_id, status_id, sum(leads) as leads, sum(payouts) as payouts from removed group by 1, 2, 3
    ) t
    cross join unnest('{${joinWithCommas(spanLengths.map(String))}}'::smallint[]) s (span)
    group by 1, 2, 3, 4
  ),
  ${addToTotalsText('status_totals', ['span', 'start', 'source_id', 'status_id'], { rows: 'by_status', sums: statusFigures })}
  select count(*)::integer as folded from removed`

export async function hasDeltas(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from lead_deltas) or exists (select from status_deltas) as found`.execute(db)
  return rows[0]?.found === true
}

/**
 * Adds the oldest deltas to the totals and returns the larger number of those of figures and of statuses. Each kind is one
 * statement: a concurrent reader sees each delta either in the delta table or in the totals, and after a kill no delta is lost.
 */
export async function foldDeltas(db: Db, maxDeltas = maxDeltasPerFold): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // With this memory PostgreSQL aggregates without temporary files.
    await sql`select set_config('work_mem', '128MB', true), set_config('statement_timeout', ${String(foldTimeout)}, true),
      stream_owners_lock()`.execute(trx)
    const fold = async (text: string) => {
      const { rows } = await trx.executeQuery<{ folded: number }>(CompiledQuery.raw(text, [maxDeltas]))
      return rows[0]?.folded ?? 0
    }
    return Math.max(await fold(foldText), await fold(foldStatusesText))
  })
}

export async function vacuumDeltas(pool: pg.Pool): Promise<void> {
  await pool.query('vacuum lead_deltas, status_deltas')
}
