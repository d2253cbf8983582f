import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'

/** Days that a run stays in the history: each account makes one every five minutes. */
const keptDays = 30

const newer = (column: string) =>
  `exists (select 1 from sync_runs n where n.${column} = t.${column} and n.id > t.id)`

/** An account's newest run stays, however old: it is how the account fares. */
export const syncsJobs = ({ db }: Pick<Deps, 'db'>): Job[] => [
  retentionJob(db, {
    table: 'sync_runs',
    at: 'started_at',
    days: keptDays,
    unless: `not (${newer('source_credential_id')} or ${newer('courier_account_id')})`,
  }),
]
