import { formatCount, type Check } from '../../platform/database/check.ts'
import { countDifferingUsage } from './quotas.queries.ts'

/** Compares the counters of the quotas with the stored rows. */
export const usageCheck: Check = {
  name: 'stored by each person',
  async run(client) {
    const { people, differing } = await countDifferingUsage(client)
    const faults =
      differing > 0 ? [`The usage counters of ${formatCount(differing, 'person', 'people')} are wrong.`] : []
    return { summary: formatCount(people, 'person', 'people'), faults }
  },
}
