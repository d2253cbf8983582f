import { formatCount, type Check } from '../../platform/database/check.ts'
import { newestEventOrder } from './parcels.store.queries.ts'

/** Compares the status of each parcel with its newest event. */
export const parcelsCheck: Check = {
  name: 'parcels',
  async run(client) {
    const { rows } = await client.query<{ parcels: number; differing: number }>(
      `select count(*) as parcels, count(*) filter (
         where (p.status_code, p.eventtime) is distinct from (t.code, t.eventtime)) as differing
       from parcels p left join lateral (
         select t.code, t.eventtime from (select code, raw_code as raw, eventtime from parcel_events
           where parcel_id = p.id) t order by ${newestEventOrder} limit 1) t on true`,
    )
    const { parcels = 0, differing = 0 } = rows[0] ?? {}
    const faults = differing > 0 ? [`${differing} parcels do not stand where their newest event says.`] : []
    return { summary: formatCount(parcels, 'parcel'), faults }
  },
}
