import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { foldLedgerDeltas, ledgerFoldWorkDelay, maxLedgerDeltasPerFold } from './ledger.fold.queries.ts'
import { postingsWorkDelay } from './ledger.leads.queries.ts'
import { postQueuedLeads, type OwnerUpdate } from './ledger.leads.ts'

export const ledgerJobs = ({ db }: Deps, applyOwner: OwnerUpdate): Job[] => [
  {
    name: 'fold-ledger-deltas',
    interval: 2000,
    timeout: 120_000,
    isExclusive: true,
    wakeDelay: 2000,
    workDelay: ledgerFoldWorkDelay,
    run: async () => ({ hasMore: (await foldLedgerDeltas(db)) === maxLedgerDeltasPerFold }),
  },
  {
    name: 'post-queued-leads',
    interval: 5000,
    timeout: 600_000,
    isExclusive: true,
    workDelay: postingsWorkDelay,
    run: async (signal) => {
      await postQueuedLeads(db, signal, { applyOwner })
    },
  },
]
