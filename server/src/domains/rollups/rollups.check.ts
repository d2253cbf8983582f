import { formatCount, type Check } from '../../platform/database/check.ts'
import { differingTotals, raiseWorkMemory } from './rollups.check.queries.ts'

/** Compares every total of the reports with the leads. */
export const totalsCheck: Check = {
  name: 'totals of the reports',
  async run(client) {
    await raiseWorkMemory(client)
    const results = await differingTotals(client)
    const faults = results
      .filter(({ differing }) => differing > 0)
      .map(({ table, differing }) => `${differing} rows of ${table} differ from the sums of the leads.`)
    return {
      summary: formatCount(
        results.reduce((sum, { rows }) => sum + rows, 0),
        'total',
      ),
      faults,
    }
  },
}
