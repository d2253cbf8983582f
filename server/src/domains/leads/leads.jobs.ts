import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { followMapping } from './leads.remap.ts'

/** Milliseconds that who changes a mapping waits for the leads to follow; the rest follow in the background. */
const patience = 2000
/** Leads of one word that follow within that time at the most. */
const mostAtOnce = 50_000

const remaps = 'lead-remaps'

/** Brings leads along whose words mean something else now. */
export const leadRemapsJob = (deps: Deps): Job => ({
  name: remaps,
  every: 5000,
  timeout: 600_000,
  alone: true,
  run: async (signal) => {
    const done = await followMapping(deps.db, signal)
    if (done.leads > 0) deps.bell.emit('outgoing-postbacks')
    return done
  },
})

/** After a mapping was changed and committed: brings along what it can at once. Never fails. */
export async function followNow(deps: Deps): Promise<void> {
  try {
    const { more, leads } = await followMapping(deps.db, AbortSignal.timeout(patience), {
      newest: true,
      most: mostAtOnce,
    })
    if (leads > 0) deps.bell.emit('outgoing-postbacks')
    if (more) deps.bell.emit(remaps)
  } catch (error) {
    deps.log.warn({ err: error }, 'Leads follow a changed mapping in the background')
    deps.bell.emit(remaps)
  }
}
