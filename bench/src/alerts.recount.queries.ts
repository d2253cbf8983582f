import { resolvePeriod } from '@karvon/contract/explore/explore.periods.ts'
import type { PeriodName } from '@karvon/contract/lib/period-names.ts'
import { ratios, type SumFigure } from '@karvon/contract/lib/report-ratios.ts'
import { isRatio, metricKinds } from '@karvon/contract/explore/explore.metrics.ts'
import type { openPool } from '@karvon/server/platform/database/pool.ts'
import type { BenchRule } from './alerts.rules.queries.ts'

type Pool = ReturnType<typeof openPool>

/** A group of leads that GROUP BY counts. Id 0: none. `cents`: the payouts. */
export interface LeadGroup {
  source_id: number
  offer_id: number
  stream_id: number
  buyer_id: number
  code: string | null
  leads: number
  cents: number
}

/** Counts the leads of a period, as somebody would by hand. */
export async function countGroups(pool: Pool, period: PeriodName, today: string): Promise<LeadGroup[]> {
  const { start = '-infinity', end = 'infinity' } = resolvePeriod(period, today)
  const { rows } = await pool.query<LeadGroup>(
    `select l.source_id, coalesce(l.offer_id, 0) as offer_id, coalesce(l.stream_id, 0) as stream_id,
      coalesce(t.user_id, 0) as buyer_id, st.code, count(*) as leads, (sum(l.payout) * 100)::bigint as cents
    from leads l left join streams t on t.id = l.stream_id left join statuses s on s.id = l.status_id
      left join status_types st on st.id = s.type_id
    where l.day between $1 and $2 group by 1, 2, 3, 4, 5`,
    [start, end],
  )
  return rows
}

export async function readRoleSources(pool: Pool): Promise<Map<number, ReadonlySet<number>>> {
  const { rows } = await pool.query<{ role_id: number; ids: number[] }>(
    'select role_id, array_agg(source_id) as ids from role_source_access group by role_id',
  )
  return new Map(rows.map(({ role_id, ids }) => [role_id, new Set(ids)]))
}

/** The value of a rule from the groups of its period; null if its metric has none. */
export function computeValue(
  rule: BenchRule,
  groups: readonly LeadGroup[],
  roleSources: ReadonlyMap<number, ReadonlySet<number>>,
): number | null {
  const accepts = (ids: readonly number[], id: number) => ids.length === 0 || ids.includes(id)
  const sources = rule.roleId === null ? null : (roleSources.get(rule.roleId) ?? new Set<number>())
  const countedGroups = groups.filter(
    (group) =>
      accepts(rule.source_ids, group.source_id) &&
      accepts(rule.offer_ids, group.offer_id) &&
      accepts(rule.stream_ids, group.stream_id) &&
      accepts(rule.buyer_ids, group.buyer_id) &&
      (rule.userId === null || rule.userId === group.buyer_id) &&
      (sources === null || sources.has(group.source_id)),
  )
  const sum = (figure: SumFigure): number => {
    const code = figure === 'profit' ? 'sold' : figure === 'hold_amount' ? 'hold' : figure
    const isMoney = figure === 'profit' || figure === 'hold_amount'
    const total = countedGroups
      .filter((group) => figure === 'leads' || group.code === code)
      .reduce((subtotal, group) => subtotal + (isMoney ? group.cents : group.leads), 0)
    return isMoney ? total / 100 : total
  }
  if (!isRatio(rule.metric)) return sum(rule.metric)
  const { numerator, divisor } = ratios[rule.metric]
  const add = (names: readonly SumFigure[]) => names.reduce((subtotal, name) => subtotal + sum(name), 0)
  const factor = metricKinds[rule.metric] === 'rate' ? 100 : 1
  return add(divisor) === 0 ? null : (factor * add(numerator)) / add(divisor)
}
