import { isMoneyFigure, sumFigures } from '@karvon/contract/explore/explore.metrics.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import { dataLocks, lockGroups } from '../../platform/database/lock-keys.ts'
import { queryRows } from '../../platform/database/rows.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'
import { dayZero, rollupSpanLengths } from '../rollups/rollups.ranges.ts'
import { buyerSql } from '../rollups/rollups.queries.ts'

/**
 * For each lane. More deltas per fold mean fewer updates of totals, but a change of a stream owner waits
 * longer.
 */
export const maxDeltasPerFold = 20_000

/**
 * Deltas of sources with even and with odd ids are folded at the same time, on two connections. Each row of
 * totals belongs to one source, so the lanes change different rows.
 */
const lanes = [0, 1] as const

/** Milliseconds. */
export const foldTimeout = 120_000

const joinWithCommas = (names: readonly string[]) => names.join(', ')

/** Counts stay integers, as in the rollup tables. */
const figureSums = joinWithCommas(
  sumFigures.map((figure) => `sum(${figure})${isMoneyFigure(figure) ? '' : '::integer'} as ${figure}`),
)

/** A CTE that adds `rows`, one per key, to a rollup table, in the order of its index. */
function addToTotalsSql(
  table: string,
  keys: readonly string[],
  { rows, sums = sumFigures }: { rows: string; sums?: readonly string[] },
): string {
  const key = joinWithCommas(keys)
  const additions = joinWithCommas(sums.map((sum) => `${sum} = ${table}.${sum} + excluded.${sum}`))
  return `${table}_added as (
    insert into ${table} (${key}, ${joinWithCommas(sums)}) select ${key}, ${joinWithCommas(sums)} from ${rows} order by ${key}
    on conflict (${key}) do update set ${additions}
  )`
}

/**
 * A CTE that deletes the $1 oldest deltas of the lane $2. Ids may be committed out of order; the next fold
 * takes a late one first.
 */
const removeDeltasSql = (table: string) => `removed as (
    delete from ${table} where source_id % 2 = $2
      and id <= (select max(id) from (select id from ${table} where source_id % 2 = $2 order by id limit $1) d)
    returning *
  )`

const foldSql = `with ${removeDeltasSql('lead_deltas')},
  by_stream as materialized (
    select s.span, ${dayZero} + (t.day - ${dayZero}) / s.span * s.span as start, source_id, stream_id, offer_id, ${figureSums}
    from (select day, source_id, stream_id, offer_id, ${figureSums} from removed group by 1, 2, 3, 4) t
    cross join unnest('{${joinWithCommas(rollupSpanLengths.map(String))}}'::smallint[]) s (span)
    group by 1, 2, 3, 4, 5
  ),
  by_offer as materialized (
    select span, start, source_id, offer_id, ${figureSums} from by_stream group by 1, 2, 3, 4
  ),
  by_source as (
    select span, start, source_id, ${figureSums} from by_offer group by 1, 2, 3
  ),
  by_buyer as (
    select ${buyerSql('b', 's')} as user_id, b.start as day, b.source_id, ${figureSums}
    from by_stream b left join streams s on s.id = b.stream_id
    where b.span = 1 group by 1, 2, 3
  ),
  ${addToTotalsSql('source_totals', ['span', 'start', 'source_id'], { rows: 'by_source' })},
  ${addToTotalsSql('offer_totals', ['span', 'start', 'source_id', 'offer_id'], { rows: 'by_offer' })},
  ${addToTotalsSql('stream_totals', ['span', 'start', 'source_id', 'stream_id', 'offer_id'], { rows: 'by_stream' })},
  ${addToTotalsSql('buyer_days', ['user_id', 'day', 'source_id'], { rows: 'by_buyer' })}
  select count(*)::integer as folded from removed`

const statusFigures = ['leads', 'payouts'] as const

/** SQL that folds the deltas of statuses in the same way. */
const foldStatusesSql = `with ${removeDeltasSql('status_deltas')},
  by_status as (
    select s.span, ${dayZero} + (t.day - ${dayZero}) / s.span * s.span as start, source_id, status_id,
      sum(leads)::integer as leads, sum(payouts) as payouts
    from (
      select day, source_id, status_id, sum(leads) as leads, sum(payouts) as payouts from removed group by 1, 2, 3
    ) t
    cross join unnest('{${joinWithCommas(rollupSpanLengths.map(String))}}'::smallint[]) s (span)
    group by 1, 2, 3, 4
  ),
  ${addToTotalsSql('status_totals', ['span', 'start', 'source_id', 'status_id'], { rows: 'by_status', sums: statusFigures })}
  select count(*)::integer as folded from removed`

export const foldWorkDelay: WorkDelay = sql`
  case when exists (select from lead_deltas) or exists (select from status_deltas) then 0 end`

/** Whether more than `count` deltas of figures wait. */
export async function hasMoreDeltas(db: Db, count: number): Promise<boolean> {
  const { rows } = await sql<{ has_more: boolean }>`
    select exists (select from lead_deltas offset ${count}) as has_more`.execute(db)
  return rows[0]?.has_more === true
}

/**
 * Adds the oldest deltas of both lanes to the totals and returns the largest number of deltas of a lane and
 * kind. Each kind is one statement: a concurrent reader sees each delta either in the delta table or in the
 * totals, and after a kill no delta is lost.
 */
export async function foldDeltas(db: Db, maxDeltas = maxDeltasPerFold): Promise<number> {
  const results = await Promise.allSettled(lanes.map((lane) => foldLane(db, lane, maxDeltas)))
  return Math.max(
    ...results.map((result) => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    }),
  )
}

function foldLane(db: Db, lane: number, maxDeltas: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // With this memory PostgreSQL aggregates without temporary files. The lanes share the lock of stream owners.
    await sql`select set_config('work_mem', '128MB', true), set_config('statement_timeout', ${String(foldTimeout)}, true),
      pg_advisory_xact_lock_shared(${lockGroups.data}::int, ${dataLocks.streamOwners}::int),
      pg_advisory_xact_lock(${lockGroups.folds}::int, ${lane}::int)`.execute(trx)
    const fold = async (text: string) => {
      const rows = await queryRows<{ folded: number }>(trx, text, [maxDeltas, lane])
      return rows[0]?.folded ?? 0
    }
    return Math.max(await fold(foldSql), await fold(foldStatusesSql))
  })
}

export async function vacuumDeltas(pool: pg.Pool): Promise<void> {
  await pool.query('vacuum lead_deltas, status_deltas')
}
