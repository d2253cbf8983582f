import { formatCount, type Check } from '../../platform/database/check.ts'
import { compareLedger, countEntries, countQueuedPostings } from './ledger.check.queries.ts'

/** Compares the ledger with its causes, and its sums with its entries. */
export const ledgerCheck: Check = {
  name: 'ledger',
  async run(client) {
    const results = await compareLedger(client)
    const faults = results
      .filter(({ differing }) => differing > 0)
      .map(({ description, differing }) => `${differing} ${description}.`)
    const summary = formatCount(await countEntries(client), 'entry', 'entries')
    const queuedCount = await countQueuedPostings(client)
    if (queuedCount === 0) return { summary, faults }
    return {
      summary: `${summary}; leads of ${formatCount(queuedCount, 'change', 'changes')} wait for the job`,
      faults,
    }
  },
}
