import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { pageSchema } from '../lib/page.ts'
import { reportColumns } from '../lib/report-columns.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day, NullableDateTime, NullableText, nullable } from '../lib/schemas.ts'

/** `same`: the last sent URL for this lead and tracker was equal, so it was not sent again. */
export const outgoingPostbackStatuses = ['queued', 'sent', 'same', 'refused'] as const
const Status = Type.String({ enum: [...outgoingPostbackStatuses] })

/**
 * A change of a lead for a tracker. `state` is the new report column of the lead, null for none; `source_status` is
 * the status text of the source; `url` is the last rendered URL; `answer` is the HTTP status of the tracker;
 * `next_at` is the time of the next attempt of a queued postback.
 */
export const OutgoingPostback = Type.Object({
  id: Type.Integer(),
  created_at: DateTime,
  template: nullable(Named),
  lead: Type.Object({ id: Type.Integer(), external_id: Type.String() }),
  source_status: Type.String(),
  state: nullable(Type.String({ enum: [...reportColumns] })),
  url: NullableText,
  status: Status,
  attempts: Type.Integer(),
  answer: nullable(Type.Integer()),
  last_error: NullableText,
  next_at: NullableDateTime,
  sent_at: NullableDateTime,
})
export type OutgoingPostback = Static<typeof OutgoingPostback>

/** start_date and end_date are inclusive days of `created_at`; `search` matches the start of the external id of the lead. */
export const listOutgoingPostbacks = call({
  id: 'outgoing-postbacks.list',
  summary: 'List the postbacks to trackers and their results',
  method: 'GET',
  path: '/api/admin/outgoing-postbacks/',
  feature: 'leads',
  guard: 'admin',
  query: listQuery(['id', 'created_at', 'status', 'attempts', 'sent_at'], {
    id: Id,
    created_at: DateTime,
    status: Status,
    attempts: Id,
    sent_at: DateTime,
    template_id: Id,
    lead_id: Id,
    start_date: Day,
    end_date: Day,
  }),
  answer: pageSchema(OutgoingPostback),
})

/** 409 if a newer change of the lead is queued or sent: the older one would overwrite it in the tracker. */
export const retryOutgoingPostback = call({
  id: 'outgoing-postbacks.retry',
  summary: 'Send a queued outgoing postback now, or retry a refused one',
  method: 'POST',
  path: '/api/admin/outgoing-postbacks/:id/retry/',
  feature: 'leads',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: OutgoingPostback,
})

export const outgoingPostbackCalls = [listOutgoingPostbacks, retryOutgoingPostback]
