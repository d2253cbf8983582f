import { syncKinds } from '../src/app/syncs.ts'
import { createSyncJobs } from '../src/domains/syncs/syncs.engine.ts'
import type { SyncKind } from '../src/domains/syncs/syncs.kind.ts'
import type { Deps } from '../src/platform/deps.ts'
import type { Job } from '../src/platform/jobs/jobs.ts'

/** Runs the job with this name once. */
export async function runJob(jobs: readonly Job[], name: string) {
  const job = jobs.find((entry) => entry.name === name)
  if (job === undefined) throw new Error(`There is no job ${name}`)
  return job.run(new AbortController().signal)
}

/** Syncs the accounts of these kinds until none is due. By default the courier is asked without pauses. */
export async function runSyncs(
  deps: Deps,
  kinds: readonly SyncKind[] = syncKinds(deps, true),
): Promise<void> {
  const [job] = createSyncJobs(deps, kinds)
  let hasMore = true
  while (hasMore) hasMore = (await job?.run(new AbortController().signal))?.hasMore === true
}

/** Syncs the accounts of the courier until none is due, without pauses. */
export const runCourierSyncs = (deps: Deps): Promise<void> =>
  runSyncs(
    deps,
    syncKinds(deps, true).filter(({ column }) => column === 'courier_account_id'),
  )
