import { isMoneyMetric, metricNames } from '@karvon/contract/explore/explore.metrics.ts'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { accountCurrencySql } from '../network-money/network-money.queries.ts'
import { listCurrenciesSql } from '../rollups/rollups.currencies.queries.ts'
import { joinOwnerSql } from './alerts.access.queries.ts'

const moneyMetrics = metricNames
  .filter(isMoneyMetric)
  .map((metric) => `'${metric}'`)
  .join(', ')

/** SQL: the streams of the buyers that the rule `r` names. Buyer 0 has leads without a stream, and the streams without a buyer. */
const isOfBuyer = `(coalesce((select s.user_id from streams s where s.id = c.stream_id), 0) = any(r.buyer_ids))`

/** SQL: the leads that the rule `r` counts, by their row `c` of `lead_currencies`. A person's rule counts own leads. */
const countedLeads = [
  `(r.source_ids = '{}' or c.source_id = any(r.source_ids))`,
  `(r.stream_ids = '{}' or c.stream_id = any(r.stream_ids))`,
  `(r.buyer_ids = '{}' or ${isOfBuyer})`,
  `(w.code = 'admin' or (c.stream_id in (select s.id from streams s where s.user_id = o.id)
    and c.source_id in (select a.source_id from role_source_access a where a.role_id = o.role_id)))`,
]

/**
 * SQL of a JSON array: the sorted currencies of the amount of the incident `i`, empty for a figure that is no amount. Those of a
 * rule `r` about money are the ones that Explore names for the same filters. A difference has one, of its account. `o` and `w` are
 * the owner of the rule and the owner's role, `mainCurrency` is a parameter.
 */
export const amountCurrenciesSql = (i: string, mainCurrency: string): string => `case
  when r.kind = 'money_difference' then json_build_array(case ${i}.subject_kind
    when 'credential' then ${accountCurrencySql(`${i}.subject_id`, `${mainCurrency}::text`)} else ${mainCurrency}::text end)
  when r.metric in (${moneyMetrics}) then ${listCurrenciesSql(countedLeads)}
  else '[]' end`

/** The currencies of the amount of an incident. */
export async function readAmountCurrencies(
  db: Db,
  incidentId: number,
  mainCurrency: string,
): Promise<string[]> {
  const text = `select ${amountCurrenciesSql('i', '$2')} as codes
    from alert_incidents i join alert_rules r on r.id = i.rule_id ${joinOwnerSql('r')} where i.id = $1`
  const [incident] = await queryRows<{ codes: string[] }>(db, text, [incidentId, mainCurrency])
  return incident?.codes ?? []
}
