import type pg from 'pg'
import type { RecountViewer } from './recount.ts'

// Calculates the cells of Explore from the leads, without any code of the product.

export const exploreKeys = {
  day: 'l.day::text',
  week: `to_char(l.day, 'IYYY-IW')`,
  month: `to_char(l.day, 'YYYY-MM')`,
  weekday: `to_char(l.day, 'ID')`,
  hour: `date_part('hour', l.created_at)::text`,
  source: 'l.source_id::text',
  offer: 'l.offer_id::text',
  stream: 'l.stream_id::text',
  buyer: 't.user_id::text',
  status: 'l.status_id::text',
  region: 'l.region',
  cancel_reason: 'l.cancel_reason',
  sub1: `l.subs ->> 'sub1'`,
  sub2: `l.subs ->> 'sub2'`,
  sub3: `l.subs ->> 'sub3'`,
} as const
export type ExploreKey = keyof typeof exploreKeys

/** The key of an answer in the form of the recount. */
export function toRecountKey(dimension: string, key: string | null): string | null {
  if (key === null) return null
  if (dimension === 'month') return key.slice(0, 7)
  if (dimension !== 'week') return key
  // The ISO week of a Monday is that of its Thursday.
  const thursday = new Date(Date.parse(key) + 3 * 86_400_000)
  const start = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const week = Math.floor((thursday.getTime() - start) / (7 * 86_400_000)) + 1
  return `${String(thursday.getUTCFullYear()).padStart(4, '0')}-${String(week).padStart(2, '0')}`
}

export type RecountCell = {
  row_key: string | null
  column_key: string | null
  leads: number
  sold: number
  profit: number
  approve_rate: number | null
}

/** Each cell that has leads. `condition` is SQL over the lead `l` and its stream `t`. */
export async function recountCells(
  pool: Pick<pg.PoolClient, 'query'>,
  { keys, condition, viewer }: { keys: readonly ExploreKey[]; condition: string; viewer: RecountViewer },
): Promise<RecountCell[]> {
  const ownCondition =
    viewer === null
      ? 'true'
      : `t.user_id = ${viewer.userId} and l.source_id in (select source_id from role_source_access where role_id = ${viewer.roleId})`
  const { rows } = await pool.query<RecountCell>(
    `select ${exploreKeys[keys[0] ?? 'day']} as row_key, ${keys[1] === undefined ? 'null::text' : exploreKeys[keys[1]]} as column_key,
      count(*) as leads, count(*) filter (where st.code = 'sold') as sold,
      coalesce(sum(l.payout) filter (where st.code = 'sold'), 0) as profit,
      round(count(*) filter (where st.code in ('accepted', 'send', 'sold', 'returned')) / count(*)::numeric, 4) as approve_rate
    from leads l left join streams t on t.id = l.stream_id left join statuses s on s.id = l.status_id
      left join status_types st on st.id = s.type_id
    where ${ownCondition} and ${condition} group by 1, 2`,
  )
  return rows
}
