import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { Where } from '../../resources/lists.where.ts'
import { networkAccountsSql } from '../network-money/network-money.queries.ts'
import { currenciesSql } from '../rollups/rollups.currencies.queries.ts'

interface RuleScope {
  source_ids: number[]
  stream_ids: number[]
  buyer_ids: number[]
  owner_id: number | null
  role_id: number | null
  is_own: boolean
}

/** The sorted currencies of the leads that a rule about a figure counts, as Explore names them for the same filters. */
export async function readRuleCurrencies(db: Db, ruleId: number): Promise<string[]> {
  const { rows } = await sql<RuleScope>`
    select r.source_ids, r.stream_ids, r.buyer_ids, r.owner_id, o.role_id, coalesce(w.code <> 'admin', false) as is_own
    from alert_rules r left join users o on o.id = r.owner_id left join roles w on w.id = o.role_id
    where r.id = ${ruleId}`.execute(db)
  const [rule] = rows
  if (rule === undefined) return []
  const { source_ids, stream_ids, buyer_ids, owner_id, role_id, is_own } = rule
  const optional = (ids: readonly number[]) => (ids.length === 0 ? undefined : ids)
  const parameters = new Where()
  const text = currenciesSql(
    parameters,
    { source: optional(source_ids), stream: optional(stream_ids), buyer: optional(buyer_ids) },
    is_own && owner_id !== null && role_id !== null ? { userId: owner_id, roleId: role_id } : null,
  )
  const [answer] = await queryRows<{ codes: string[] }>(db, `select ${text} as codes`, parameters.values)
  return answer?.codes ?? []
}

/** The currency of a network's account. An account whose source has no description has the main one. */
export async function readCredentialCurrency(
  db: Db,
  credentialId: number,
  mainCurrency: string,
): Promise<string> {
  const text = `select currency from (${networkAccountsSql('c.id = $1', '$2')}) m`
  const rows = await queryRows<{ currency: string }>(db, text, [credentialId, mainCurrency])
  return rows[0]?.currency ?? mainCurrency
}
