import { reportColumns } from '@karvon/contract/status-types/status-types.ts'

// The figures of a report, counted from the leads. Everything that reads leads for a report reads them here.
const sums = ['leads', ...reportColumns, 'profit', 'hold_amount'] as const

/** What the rows of a report stand for. */
export type GroupKey = 'day' | 'source_id' | 'offer_id' | 'stream_id'

/**
 * One row a group (`key` and the sums) of the leads that match. The lead is `l`.
 * profit: payouts of sold leads; hold_amount: payouts of leads on hold.
 */
export function groupedText(key: GroupKey, where: string): string {
  const counts = reportColumns.map((code) => `count(*) filter (where st.code = '${code}') as ${code}`)
  return `select l.${key} as key, count(*) as leads, ${counts.join(', ')},
      coalesce(sum(l.payout) filter (where st.code = 'sold'), 0) as profit,
      coalesce(sum(l.payout) filter (where st.code = 'hold'), 0) as hold_amount
    from leads l left join statuses s on s.id = l.status_id left join status_types st on st.id = s.type_id
    where ${where} group by l.${key}`
}

/** How many groups there are among the leads that match. */
export function groupCountText(key: GroupKey, where: string): string {
  return `(select count(*) from (select 1 from leads l where ${where} group by l.${key}) g)`
}

/** The sums of all rows of a relation, as one row. */
export const totalsText = (of: string): string =>
  `select ${sums.map((each) => `coalesce(sum(${each}), 0) as ${each}`).join(', ')} from ${of}`

/**
 * The figures of the row `t` as arguments of json_build_object. approve_rate: accepted, sent, sold and
 * returned among all; buyout_rate: sold among sold and returned. To 4 decimals, null without a base.
 */
export const figuresJson = (t: string): string =>
  [
    ...sums.map((each) => `'${each}', ${t}.${each}`),
    `'approve_rate', ${approveRate(t)}`,
    `'buyout_rate', ${buyoutRate(t)}`,
  ].join(', ')

/** Expressions to sort the row `t` by. */
export const figureColumns = (t: string): Record<string, string> => ({
  ...Object.fromEntries(sums.map((each) => [each, `${t}.${each}`])),
  approve_rate: approveRate(t),
  buyout_rate: buyoutRate(t),
})

const approveRate = (t: string) =>
  `round((${t}.accepted + ${t}.send + ${t}.sold + ${t}.returned)::numeric / nullif(${t}.leads, 0), 4)`
const buyoutRate = (t: string) => `round(${t}.sold::numeric / nullif(${t}.sold + ${t}.returned, 0), 4)`
