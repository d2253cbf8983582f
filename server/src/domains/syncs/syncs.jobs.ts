import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'

/** Days until a run is deleted. Each account has a run every five minutes. */
const retentionDays = 30

const hasNewerRun = (column: string) =>
  `exists (select 1 from sync_runs n where n.${column} = t.${column} and n.id > t.id)`

/** Deletes old runs. The newest run of an account stays, because it shows the account's health. */
export const syncsJobs = ({ db }: Pick<Deps, 'db'>): Job[] => [
  retentionJob(db, {
    table: 'sync_runs',
    timeColumn: 'started_at',
    days: retentionDays,
    keepCondition: `not (${hasNewerRun('source_credential_id')} or ${hasNewerRun('courier_account_id')})`,
  }),
]
