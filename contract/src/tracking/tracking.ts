import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { maxCode, maxHistoryShown } from '../lib/limits.ts'
import { DateTime } from '../lib/schemas.ts'

const event = { code: Type.String(), title: Type.String(), eventtime: DateTime }

/** The public data of a parcel: its status and history, without personal data. */
const Tracked = Type.Object({
  orderno: Type.String(),
  status: Type.Object(event),
  history: Type.Array(Type.Object(event), { maxItems: maxHistoryShown, description: 'Newest first' }),
})
export type TrackedParcel = Static<typeof Tracked>

/** A wrong order number and wrong digits give the same 404. Failures are limited by address and by order number. */
export const trackParcel = call({
  id: 'track.get',
  summary: "Track a parcel by its order number and the last four digits of the receiver's phone number",
  method: 'GET',
  path: '/api/track/:orderno',
  feature: 'tracking',
  guard: 'public',
  params: Type.Object({ orderno: Type.String({ minLength: 1, maxLength: maxCode }) }),
  query: Type.Object({ phone: Type.String({ pattern: '^\\d{4}$', description: 'The last four digits' }) }),
  answer: Tracked,
})

export const trackingCalls = [trackParcel]
