import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { foldLedgerDeltas, hasLedgerDeltas, maxLedgerDeltasPerFold } from './ledger.fold.queries.ts'
import { readOldestPosting } from './ledger.leads.queries.ts'
import { postQueuedLeads } from './ledger.leads.ts'

export const ledgerJobs = ({ db }: Deps): Job[] => [
  {
    name: 'fold-ledger-deltas',
    interval: 2000,
    timeout: 120_000,
    isExclusive: true,
    wakeDelay: 2000,
    readDelay: async () => ((await hasLedgerDeltas(db)) ? 0 : null),
    run: async () => ({ more: (await foldLedgerDeltas(db)) === maxLedgerDeltasPerFold }),
  },
  {
    name: 'post-queued-leads',
    interval: 5000,
    timeout: 600_000,
    isExclusive: true,
    readDelay: async () => ((await readOldestPosting(db)) === undefined ? null : 0),
    run: async (signal) => {
      await postQueuedLeads(db, signal)
    },
  },
]
