import { formatCount, type Check } from '../../platform/database/check.ts'

/** Compares the counters of the quotas with the stored rows. */
export const usageCheck: Check = {
  name: 'stored by each person',
  async run(client) {
    const { rows } = await client.query<{ people: number; differing: number }>(
      `with stored as (
         select user_id, count(*) as upload_count, sum(size) as upload_bytes, 0 as parcel_count
         from uploads where infected_with is null and file_removed_at is null group by user_id
         union all
         select owner_id, 0, 0, count(*) from parcels where from_order_file and owner_id is not null group by owner_id
       ), total as (
         select user_id, sum(upload_count) as upload_count, sum(upload_bytes) as upload_bytes,
           sum(parcel_count) as parcel_count
         from stored group by user_id
       )
       select count(*) as people, count(*) filter (where
         (coalesce(p.upload_count, 0), coalesce(p.upload_bytes, 0), coalesce(p.parcel_count, 0)) is distinct from
         (coalesce(t.upload_count, 0), coalesce(t.upload_bytes, 0), coalesce(t.parcel_count, 0))) as differing
       from person_usage p full join total t using (user_id)`,
    )
    const { people = 0, differing = 0 } = rows[0] ?? {}
    const faults = differing > 0 ? [`What ${differing} people store is counted wrongly.`] : []
    return { summary: formatCount(people, 'person', 'people'), faults }
  },
}
