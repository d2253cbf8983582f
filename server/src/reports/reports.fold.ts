import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { dayZero, spans } from '../kit/totals/totals.cover.ts'
import { figures } from '../kit/totals/totals.sql.ts'

/** Deltas that one fold takes: the more, the more of them meet in the same totals. */
export const foldSize = 50_000

const list = (of: readonly string[], write = (each: string) => each) => of.map(write).join(', ')

/** Counts stay integers, whose sums are several times cheaper. */
const sums = list(figures, (each) =>
  each === 'profit' || each === 'hold_amount'
    ? `sum(${each}) as ${each}`
    : `sum(${each})::integer as ${each}`,
)
const adding = (table: string) => list(figures, (each) => `${each} = ${table}.${each} + excluded.${each}`)

/** CTEs that add rows to totals, ordered by key as their index is; `from` has one row a key. */
function addedText(table: string, from: string, ids: readonly string[]): string {
  const key = list(['span', 'start', ...ids])
  return `${table}_added as (
    insert into ${table} (${key}, ${list(figures)}) select ${key}, ${list(figures)} from ${from} order by ${key}
    on conflict (${key}) do update set ${adding(table)}
  )`
}

/** $1: how many deltas. Ids may be committed out of order; one that comes in late is among the next fold's oldest. */
const foldText = `with taken as (
    delete from lead_deltas where id <= (select max(id) from (select id from lead_deltas order by id limit $1) d)
    returning *
  ),
  streams as materialized (
    select s.span, ${dayZero} + (t.day - ${dayZero}) / s.span * s.span as start, source_id, stream_id, offer_id, ${sums}
    from (select day, source_id, stream_id, offer_id, ${sums} from taken group by 1, 2, 3, 4) t
    cross join unnest('{${list(spans.map(String))}}'::smallint[]) s (span)
    group by 1, 2, 3, 4, 5
  ),
  offers as materialized (
    select span, start, source_id, offer_id, ${sums} from streams group by 1, 2, 3, 4
  ),
  sources as materialized (
    select span, start, source_id, ${sums} from offers group by 1, 2, 3
  ),
  ${addedText('source_totals', 'sources', ['source_id'])},
  ${addedText('offer_totals', 'offers', ['source_id', 'offer_id'])},
  ${addedText('stream_totals', 'streams', ['source_id', 'stream_id', 'offer_id'])}
  select count(*)::integer as folded from taken`

/**
 * Adds the oldest deltas to the totals and answers how many they were. One statement: whoever reads at the
 * same time sees each delta either by itself or in the totals, and a kill leaves it where it was.
 */
export async function foldDeltas(db: Db, size = foldSize): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // What a fold sums up stays in memory.
    await sql`set local work_mem = '128MB'`.execute(trx)
    const { rows } = await trx.executeQuery<{ folded: number }>(CompiledQuery.raw(foldText, [size]))
    return rows[0]?.folded ?? 0
  })
}
