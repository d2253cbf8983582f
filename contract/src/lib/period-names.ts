/** The relative periods. Weeks start on Monday. A period that is not over ends today. */
export const periodNames = [
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_year',
  'all',
] as const
export type PeriodName = (typeof periodNames)[number]
