import { maxAlertFindings } from '@karvon/contract/lib/limits.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Finding } from './alerts.findings.ts'

/**
 * Reads findings up to the limit, and those with an open incident first. Otherwise the incident of one subject would end because
 * another subject is found.
 */
export async function readFindings(trx: Db, findings: RawBuilder<Finding>): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select f.* from (${findings}) f
    order by not exists (select from alert_incidents i where i.rule_id = f."ruleId" and i.subject_kind = f."subjectKind"
      and i.subject_id = f."subjectId" and i.ended_at is null), f."ruleId", f."subjectKind", f."subjectId"
    limit ${maxAlertFindings}`.execute(trx)
  return rows
}

/** SQL: findings for the open incidents `i` of the rules about which they have no data, by the condition. */
export const findWithoutData = (ruleIds: readonly number[], condition: RawBuilder<unknown>) => sql`
  select i.rule_id as "ruleId", i.subject_kind as "subjectKind", i.subject_id as "subjectId",
    i.subject_name as "subjectName", i.value::text as value, i.base::text as base, true as "hasNoData"
  from alert_incidents i
  where i.rule_id = any(${ruleIds}::bigint[]) and i.began_at is not null and i.ended_at is null and ${condition}`
