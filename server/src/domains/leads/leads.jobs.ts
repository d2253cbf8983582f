import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { remapLeads } from './leads.remap.ts'
import { remapsWorkDelay } from './leads.remap.queries.ts'

/** Milliseconds that the caller who changes a mapping waits for the leads. The job updates the other leads. */
const remapTimeout = 2000
/** Leads of one source status that the caller waits for. */
const maxLeadsNow = 50_000

const remapJobName = 'lead-remaps'

/** Updates the status of leads whose mapping changed. */
export const leadRemapsJob = (deps: Deps): Job => ({
  name: remapJobName,
  interval: 5000,
  timeout: 600_000,
  isExclusive: true,
  workDelay: remapsWorkDelay,
  run: async (signal) => {
    const result = await remapLeads(deps.sessionDb, signal)
    if (result.leads > 0) deps.jobTrigger.emit('outgoing-postbacks')
    return result
  },
})

/** Updates leads immediately after the commit of a changed mapping. Never throws; the job updates the rest. */
export async function remapLeadsNow(deps: Deps): Promise<void> {
  try {
    const { hasMore, leads } = await remapLeads(deps.sessionDb, AbortSignal.timeout(remapTimeout), {
      isNewestFirst: true,
      maxLeadsPerStatus: maxLeadsNow,
    })
    if (leads > 0) deps.jobTrigger.emit('outgoing-postbacks')
    if (hasMore) deps.jobTrigger.emit(remapJobName)
  } catch (error) {
    deps.log.warn({ err: error }, 'Could not update leads after a changed mapping; the job updates them')
    deps.jobTrigger.emit(remapJobName)
  }
}
