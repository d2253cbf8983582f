/**
 * What a network may call each thing that a postback tells; the first name that has a value counts. `click`
 * names our stream, `offer_id` is the network's own. `secret` must equal the source's key where it is given.
 */
export const postbackNames = {
  click: ['subid', 'clickid', 'click_id', 'sub_id', 'click'],
  external_id: ['tid', 'txn_id', 'transaction_id', 'action_id', 'cnv_id', 'uid'],
  status: ['status', 'cnv_status'],
  payout: ['payout', 'revenue', 'sum', 'price', 'goal_value'],
  currency: ['currency', 'cnv_currency'],
  created_at: ['created_at'],
  updated_at: ['updated_at'],
  offer: ['offer', 'offer_name'],
  offer_id: ['offer_id'],
  goal: ['goal'],
  comment: ['comment'],
  secret: ['token', 'secure', 'key'],
} as const
export type PostbackMeaning = keyof typeof postbackNames

/** Free values that a network passes through; they are kept with the lead. */
export const subNames: readonly string[] = Array.from({ length: 15 }, (_, i) => `sub${i + 1}`)
