import type { Deps } from '../../platform/deps.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { finishInterruptedImports } from '../../platform/spreadsheets/spreadsheets.interrupted.ts'
import { importsWorkDelay, interruptedAfter } from './imports.queries.ts'

/** Ends the imports whose process ended, and writes their audit entries. */
export const interruptedImportsJob = ({ db }: Pick<Deps, 'db'>): Job => ({
  name: 'interrupted-imports',
  interval: 60_000,
  timeout: 60_000,
  isExclusive: true,
  workDelay: importsWorkDelay,
  run: () => inTransaction(db, (trx) => finishInterruptedImports(trx, interruptedAfter)),
})
