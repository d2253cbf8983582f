/**
 * The parameter names that a network may use for each field; the first name that has a value is used. `click` is the id
 * or name of our stream, `offer_id` is the id of the network. `secret` is optional and must equal the key of the
 * source.
 */
export const postbackParamNames = {
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
  region: ['region'],
  cancel_reason: ['cancel_reason', 'reject_reason'],
  secret: ['token', 'secure', 'key'],
} as const
export type PostbackField = keyof typeof postbackParamNames

/** Free values that a network passes through. The lead stores them. */
export const subParamNames: readonly string[] = Array.from({ length: 15 }, (_, i) => `sub${i + 1}`)

export const allPostbackParamNames: readonly string[] = [
  ...Object.values(postbackParamNames).flat(),
  ...subParamNames,
]
