import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import type { Job } from './jobs.ts'

/** A table that grows by what happens. `at`: its column of when; `days`: for how long a row is kept. */
export interface Log {
  table: string
  at: string
  days: number
  /** SQL of the rows `t` that stay for longer all the same. */
  unless?: string
}

const batch = 5000
const hour = 3_600_000

/** Removes what a log has kept for long enough, oldest first, a batch a statement: whoever writes to it never waits. */
export function retentionJob(db: Db, { table, at, days, unless = 'false' }: Log): Job {
  // Where the present walk stands, so that it passes what stays once alone.
  let from = { at: '-infinity', id: 0 }
  return {
    name: `${table}-retention`,
    every: hour,
    timeout: 60_000,
    alone: true,
    async run() {
      const { rows } = await sql<{ at: string; id: number }>`
        with old as (
          select t.id, t.${sql.ref(at)} as at, ${sql.raw(unless)} as stays from ${sql.table(table)} t
          where t.${sql.ref(at)} < now() - make_interval(days => ${days})
            and (t.${sql.ref(at)}, t.id) > (${from.at}::timestamptz, ${from.id}::bigint)
          order by t.${sql.ref(at)}, t.id limit ${batch}
        ), gone as (
          delete from ${sql.table(table)} where id in (select id from old where not stays)
        )
        select at::text, id from old order by old.at, id`.execute(db)
      const last = rows.at(-1)
      const more = rows.length === batch && last !== undefined
      from = more ? last : { at: '-infinity', id: 0 }
      return { more }
    },
  }
}
