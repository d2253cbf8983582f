/** The columns of every table of totals after its keys. */
export const sums = [
  'leads',
  'accepted',
  'cancel',
  'recall',
  'send',
  'sold',
  'returned',
  'hold',
  'profit',
  'hold_amount',
]
const columns = sums.join(', ')

/** One row a day, source, offer and stream (0: none), counted from the leads themselves. */
export const recountText = `
  select l.day, l.source_id, coalesce(l.offer_id, 0) as offer_id, coalesce(l.stream_id, 0) as stream_id,
    count(*) as leads, ${sums
      .slice(1, 8)
      .map((code) => `count(*) filter (where st.code = '${code}') as ${code}`)
      .join(', ')},
    coalesce(sum(l.payout) filter (where st.code = 'sold'), 0) as profit,
    coalesce(sum(l.payout) filter (where st.code = 'hold'), 0) as hold_amount
  from leads l left join statuses s on s.id = l.status_id left join status_types st on st.id = s.type_id
  group by 1, 2, 3, 4`

/** Writes what triggers would have written: for leads that were loaded without them. */
export const deltasText = `
  insert into lead_deltas (day, source_id, offer_id, stream_id, ${columns})
  select day, source_id, offer_id, stream_id, ${columns} from (${recountText}) r order by day, source_id, stream_id`
