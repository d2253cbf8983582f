/**
 * What a host can have beyond the specification. The settings call announces each feature. The web shows and
 * calls nothing that the host does not announce. Calls, resources and fields name their feature.
 */
export const features = {
  alerts: 'Rules warn of what begins and ends, in your inbox and in your Telegram chat',
  audit: 'Admins can look through the audit log',
  cash_on_delivery:
    'Parcels have the amount to collect, the pay type, the declared value, the courier and the items',
  concurrent_edits: 'An update may say what it was made from, by updated_at',
  explore: 'Figures of leads by one or two dimensions, compared with an earlier period',
  exports: 'A list or a report answers all of its rows as a file',
  fetching: 'CPA networks and the courier are fetched: connectors, accounts and their runs',
  idempotency_keys: 'A request may carry an Idempotency-Key',
  imports: 'Leads and parcels can be imported from files',
  leads: 'Leads can be listed, with their postbacks and the source statuses that are not mapped',
  money: 'The fin report also has what the networks themselves report',
  network_money: 'The accounts of networks are compared with the ledger, with the lines of a difference',
  order_previews: 'An order file can be looked at before it is sent',
  parcel_problems: 'Parcels that need a person are counted and take notes',
  payouts: 'Money is in a ledger: payout terms, balances and withdrawals',
  profile: 'You can change your name, email and password',
  report_rates: 'Reports also have hold_amount, approve_rate and buyout_rate',
  saved_views: 'A person can save views of lists and choose columns, and an admin can share views with roles',
  second_factor: 'A person can set up a second factor',
  sessions: 'Sessions can be listed and ended',
  settlements: 'Settlement acts of the courier are read and compared with the parcels',
  telegram: 'You can get notices in your Telegram chat',
  telegram_queue: 'What Telegram did not take is sent later by itself; admins see the queue',
  tracking: 'Anybody can track a parcel by its order number and phone',
  view_mails: 'Views are sent on schedule by mail, too',
  view_schedules: 'A saved view is sent on schedule',
} as const

export type Feature = keyof typeof features
export const featureNames = Object.keys(features) as Feature[]
