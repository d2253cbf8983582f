import { momentAfterDay, momentBeforeDay } from '../../platform/database/day-bounds.ts'

/** The last lead of a batch of a day. The next batch begins after it. */
export interface LastLead {
  created_at: string
  id: number
}

/** The start of a day: no lead is before it. */
export const firstLead: LastLead = { created_at: '-infinity', id: 0 }

/**
 * SQL: the next leads `l` of a day that meet a condition. $1: the day, $2 and $3: the last lead of the batch before.
 */
export const nextLeadsSql = (limit: string | number, condition = 'true'): string =>
  `from leads l
    where l.day = $1 and l.created_at < ${momentAfterDay('$1::date')}
      and (l.created_at, l.id) > (greatest($2::timestamptz, ${momentBeforeDay('$1::date')}), $3::bigint) and ${condition}
    order by l.created_at, l.id limit ${limit}`
