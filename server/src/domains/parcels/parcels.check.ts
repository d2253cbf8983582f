import { formatCount, type Check } from '../../platform/database/check.ts'
import { countDifferingParcels } from './parcels.store.queries.ts'

/** Compares the status of each parcel with its newest event. */
export const parcelsCheck: Check = {
  name: 'parcels',
  async run(client) {
    const { parcels, differing } = await countDifferingParcels(client)
    const faults = differing > 0 ? [`${differing} parcels do not have the status of their newest event.`] : []
    return { summary: formatCount(parcels, 'parcel'), faults }
  },
}
