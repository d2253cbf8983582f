import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { pageOf } from '../lib/page.ts'
import { reportColumns } from '../lib/report-columns.ts'
import { listQuery } from '../lib/resource.ts'

const time = Type.String({ format: 'date-time' })
const day = Type.String({ format: 'date' })
const text = Type.Union([Type.String(), Type.Null()])
const maybeTime = Type.Union([time, Type.Null()])

/** `same`: the tracker had been sent that very URL last, so it was not sent again. */
export const outgoingStatuses = ['queued', 'sent', 'same', 'refused'] as const
const Status = Type.String({ enum: [...outgoingStatuses] })

/**
 * A change of a lead on its way to a tracker. `state` is the report column that the lead came into, null for
 * none; `word` what its source called it; `url` what was rendered last; `answer` the tracker's HTTP status.
 * `next_at`: when a queued one is tried (again).
 */
export const OutgoingPostback = Type.Object({
  id: Type.Integer(),
  created_at: time,
  template: Type.Union([Named, Type.Null()]),
  lead: Type.Object({ id: Type.Integer(), external_id: Type.String() }),
  word: Type.String(),
  state: Type.Union([Type.String({ enum: [...reportColumns] }), Type.Null()]),
  url: text,
  status: Status,
  attempts: Type.Integer(),
  answer: Type.Union([Type.Integer(), Type.Null()]),
  last_error: text,
  next_at: maybeTime,
  sent_at: maybeTime,
})
export type OutgoingPostback = Static<typeof OutgoingPostback>

/** start_date and end_date are inclusive days of `created_at`; `search` looks at the start of the lead's external id. */
export const listOutgoingPostbacks = call({
  id: 'outgoing-postbacks.list',
  summary: 'List the postbacks to trackers and how each went',
  method: 'GET',
  path: '/api/admin/outgoing-postbacks/',
  feature: 'leads',
  guard: 'admin',
  query: listQuery(['id', 'created_at', 'status', 'attempts', 'sent_at'], {
    status: Status,
    template_id: Id,
    lead_id: Id,
    start_date: day,
    end_date: day,
  }),
  answer: pageOf(OutgoingPostback),
})

/** 409 where a newer change of that lead has been queued or sent: the older one would put the tracker back. */
export const retryOutgoingPostback = call({
  id: 'outgoing-postbacks.retry',
  summary: 'Send a queued postback now, or a refused one once more',
  method: 'POST',
  path: '/api/admin/outgoing-postbacks/:id/retry/',
  feature: 'leads',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: OutgoingPostback,
})

export const outgoingPostbackCalls = [listOutgoingPostbacks, retryOutgoingPostback]
