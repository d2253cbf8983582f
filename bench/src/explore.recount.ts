import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'

/** A cell that GROUP BY counts. A key without a value is ''. */
export interface CountedCell {
  k0: string
  k1: string
  leads: number
  profit: number
}

const keys: Readonly<Record<DimensionName, string>> = {
  day: 'l.day',
  week: `date_trunc('week', l.day)::date`,
  month: `date_trunc('month', l.day)::date`,
  weekday: 'extract(isodow from l.day)',
  hour: 'extract(hour from l.created_at)',
  source: 'l.source_id',
  offer: 'l.offer_id',
  stream: 'l.stream_id',
  buyer: 't.user_id',
  status: 'l.status_id',
  region: 'l.region',
  cancel_reason: 'l.cancel_reason',
  sub1: `l.subs ->> 'sub1'`,
  sub2: `l.subs ->> 'sub2'`,
  sub3: `l.subs ->> 'sub3'`,
}

/** GROUP BY over the leads, as somebody would write it by hand. */
export function buildExploreText({
  rows,
  columns,
  from,
}: {
  rows: DimensionName
  columns: DimensionName
  from: string | null
}): string {
  const streams = rows === 'buyer' || columns === 'buyer' ? 'left join streams t on t.id = l.stream_id' : ''
  return `select coalesce(k0::text, '') as k0, coalesce(k1::text, '') as k1, leads, profit from (
      select ${keys[rows]} as k0, ${keys[columns]} as k1, count(*) as leads,
        coalesce(sum(l.payout) filter (where st.code = 'sold'), 0) as profit
      from leads l ${streams} left join statuses s on s.id = l.status_id left join status_types st on st.id = s.type_id
      ${from === null ? '' : `where l.created_at >= '${from}'`} group by 1, 2) g`
}
