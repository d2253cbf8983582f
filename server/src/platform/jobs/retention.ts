import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import type { Job } from './jobs.ts'

/** How long the rows of a table stay. `timeColumn`: when a row was written. `days`: how long it stays at least. */
export interface RetentionRule {
  table: string
  timeColumn: string
  days: number
  /** SQL condition on a row `t` that stays longer. */
  keepCondition?: string
  /** Rows stay until their whole month in UTC is older than `days`. */
  isByMonth?: boolean
}

const batchSize = 5000
const runInterval = 3_600_000

/** A job that deletes old rows, oldest first, one batch in each statement, so that writers never wait. */
export function retentionJob(db: Db, rule: RetentionRule): Job {
  const { table, timeColumn, days, keepCondition = 'false', isByMonth = false } = rule
  const oldestTime = sql`now() - make_interval(days => ${days})`
  const isOld = sql`${sql.ref(timeColumn)} < ${isByMonth ? sql`date_trunc('month', ${oldestTime}, 'UTC')` : oldestTime}`
  // The position of the current pass over the table, so that a pass reads each kept row once.
  let cursor = { at: '-infinity', id: 0 }
  return {
    name: `${table}-retention`,
    interval: runInterval,
    timeout: 60_000,
    isExclusive: true,
    async run() {
      const { rows } = await sql<{ at: string; id: number }>`
        with old as (
          select t.id, t.${sql.ref(timeColumn)} as at, ${sql.raw(keepCondition)} as stays from ${sql.table(table)} t
          where ${isOld}
            and (t.${sql.ref(timeColumn)}, t.id) > (${cursor.at}::timestamptz, ${cursor.id}::bigint)
          order by t.${sql.ref(timeColumn)}, t.id limit ${batchSize}
        ), gone as (
          delete from ${sql.table(table)} where ${isOld} and id in (select id from old where not stays)
        )
        select at::text, id from old order by old.at, id`.execute(db)
      const last = rows.at(-1)
      const hasMore = rows.length === batchSize && last !== undefined
      cursor = hasMore ? last : { at: '-infinity', id: 0 }
      return { hasMore }
    },
  }
}
