import { formatCount, type Check } from '../../platform/database/check.ts'
import { countDifferingSettledParcels } from './settlements.check.queries.ts'

/** Compares when each parcel was settled with the lines of settlement acts. */
export const settlementsCheck: Check = {
  name: 'settlement acts',
  async run(client) {
    const { lines, differing } = await countDifferingSettledParcels(client)
    const faults =
      differing > 0 ? [`${differing} parcels are not settled on the day of their first settlement act.`] : []
    return { summary: formatCount(lines, 'line'), faults }
  },
}
