/**
 * What a host can have beyond the specification. The settings call announces each feature. The web shows and
 * calls nothing that the host does not announce. Calls, resources and fields name their feature.
 */
export const features = {
  alerts: 'Alert rules report each begin and end of an incident, in your inbox and in your Telegram chat',
  audit: 'Admins can look through the audit log',
  cash_on_delivery:
    'Parcels have the amount to collect, the pay type, the declared value, the courier and the items',
  concurrent_edits: 'An update may name, by updated_at, the version of the row that it changes',
  explore: 'Figures of leads by one or two dimensions, compared with an earlier period',
  exports: 'All rows of a list or a report can be downloaded as a file',
  fetching: 'CPA networks and the courier are read on schedule: connectors, accounts and their runs',
  idempotency_keys: 'A request may carry an Idempotency-Key',
  imports: 'Leads and parcels can be imported from files',
  leads: 'Leads, their postbacks and the unmapped source statuses can be listed',
  money: 'The fin report also has the figures that the networks report',
  network_money:
    'The balances that networks report are compared with the ledger, and each difference can be opened',
  order_previews: 'An order file can be previewed before it is sent',
  parcel_problems: 'Parcels with a problem are counted and can have notes',
  payouts: 'Money is in a ledger: payout terms, balances and withdrawals',
  profile: 'You can change your name, email and password',
  report_rates: 'Reports also have hold_amount, approve_rate and buyout_rate',
  saved_views: 'A person can save views of lists and choose columns, and an admin can share views with roles',
  second_factor: 'A person can set up a second factor',
  sessions: 'Sessions can be listed and ended',
  settlements: 'Settlement acts of the courier are read and compared with the parcels',
  telegram: 'You can get notices in your Telegram chat',
  telegram_queue: 'Messages that Telegram refused are sent again later; admins see the queue',
  tracking: 'Anybody can track a parcel by its order number and phone',
  view_mails: 'Views are sent on schedule by mail, too',
  view_schedules: 'A saved view is sent on schedule',
} as const

export type Feature = keyof typeof features
export const featureNames = Object.keys(features) as Feature[]
