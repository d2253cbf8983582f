import { sql } from 'kysely'
import type { Deps } from '../kit/deps.ts'
import type { Job } from '../kit/jobs.ts'

/** Days that a hit stays in the log. Its lead stays for good. */
export const keptDays = 90
const batch = 5000
const hour = 3_600_000

/** Removes old hits from the log, a batch a transaction, so that no new one waits for it. */
export const postbacksJobs = ({ db }: Deps): Job[] => [
  {
    name: 'postbacks-prune',
    every: hour,
    timeout: 60_000,
    alone: true,
    async run() {
      const { numAffectedRows = 0n } = await sql`delete from postbacks where id in (
        select id from postbacks where at < now() - make_interval(days => ${keptDays}) order by at, id limit ${batch})`.execute(
        db,
      )
      return { more: numAffectedRows >= batch }
    },
  },
]
