import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { logPartitionsJob } from '../../platform/jobs/log-partitions.ts'

/** The audit log stays for ever. */
export const auditJob = ({ db }: Pick<Deps, 'db'>): Job =>
  logPartitionsJob(db, { table: 'audit_log', unit: 'year' })
