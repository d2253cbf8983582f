import type { Generated } from 'kysely'
import type { Id, Json, MaybeTime, Money, SetTime, Time, TimestampedRow } from './tables.columns.ts'

type AlertKind =
  | 'sync_failing'
  | 'source_silent'
  | 'approve_drop'
  | 'unmapped_statuses'
  | 'postbacks_refused'
  | 'money_difference'
  | 'metric'
  | 'silence'
type AlertMetric =
  | 'leads'
  | 'accepted'
  | 'cancel'
  | 'recall'
  | 'send'
  | 'sold'
  | 'returned'
  | 'hold'
  | 'profit'
  | 'hold_amount'
  | 'approve_rate'
  | 'buyout_rate'
  | 'earnings_per_lead'
  | 'average_payout'
type AlertPeriod =
  | 'today'
  | 'yesterday'
  | 'last_7_days'
  | 'last_30_days'
  | 'last_90_days'
  | 'this_week'
  | 'last_week'
  | 'this_month'
  | 'last_month'
  | 'this_year'
  | 'all'

interface AlertRulesTable extends TimestampedRow {
  kind: AlertKind
  name: string | null
  owner_id: number | null
  is_active: Generated<boolean>
  metric: AlertMetric | null
  period: AlertPeriod | null
  condition: 'below' | 'above' | null
  against: 'value' | 'history' | null
  threshold: Money
  hold_minutes: Generated<number>
  source_ids: Generated<number[]>
  offer_ids: Generated<number[]>
  stream_ids: Generated<number[]>
  buyer_ids: Generated<number[]>
  receiver_role_ids: Generated<number[]>
  next_at: SetTime
  started_at: SetTime
}

interface AlertIncidentsTable {
  id: Id
  rule_id: number
  subject_kind: string
  subject_id: number
  subject_name: string
  value: Money
  threshold: Money
  base: Money | null
  pending_since: Time
  began_at: MaybeTime
  ended_at: MaybeTime
  no_data_since: MaybeTime
  ended_without_data: Generated<boolean>
  rule_values: Json
}

interface AlertReceiversTable {
  id: Id
  incident_id: number
  user_id: number
  began_notice_id: number | null
  ended_notice_id: number | null
  is_read: Generated<boolean>
  snoozed_until: MaybeTime
}

/** Rules, incidents, and the arrivals of leads that rules of silence read. */
export interface AlertTables {
  alert_rules: AlertRulesTable
  alert_incidents: AlertIncidentsTable
  alert_receivers: AlertReceiversTable
  alert_mutes: { rule_id: number; user_id: number }
  alert_evaluations: { is_only: Generated<boolean>; evaluated_at: MaybeTime }
  alert_samples: { rule_id: number; hour: Time; value: Money }
  lead_arrivals: {
    id: Id
    at: SetTime
    source_id: number
    offer_id: number
    stream_id: number
    leads: number
  }
  source_hours: { source_id: number; hour: Time; leads: number }
  stream_arrivals: { source_id: number; offer_id: number; stream_id: number; last_at: Time }
}
