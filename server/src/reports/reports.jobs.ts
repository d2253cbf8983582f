import type { Deps } from '../kit/deps.ts'
import type { Job } from '../kit/jobs.ts'
import { foldDeltas, foldSize } from './reports.fold.ts'

/** Deltas so few that autovacuum is soon enough for what they leave behind. */
const few = 5000

export const reportsJobs = ({ db, pool }: Deps): Job[] => [
  {
    name: 'fold-lead-deltas',
    every: 1000,
    timeout: 120_000,
    alone: true,
    run: async () => {
      const folded = await foldDeltas(db)
      // Every report reads the deltas' whole table: it stays as small as what is in it.
      if (folded > few) await pool.query('vacuum lead_deltas')
      return { more: folded >= foldSize }
    },
  },
]
