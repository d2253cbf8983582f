import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxFilterValues, maxPageSize, maxPayoutCurrencies } from '../lib/limits.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, nullable, NullableDateTime, NullableText, OneOf } from '../lib/schemas.ts'
import { alertBases, alertConditions, alertKinds, alertMetrics, alertPeriods } from './rules.ts'

/** What an incident of a kind is about. `account` is a source credential. */
const alertSubjects = ['credential', 'courier', 'source', 'stream', 'template', 'rule'] as const

const ids = Type.Array(Type.Integer(), { maxItems: maxFilterValues })

/**
 * An incident that was reported to the person. The figure and the filters of `rule`, `value` and `threshold` are those of its
 * begin. `subject`: what it is about; its id is 0 for the rule as a whole. `base`: the mean of the history, or what is usual.
 * `currencies`: the sorted currencies of these amounts; none if they are no amounts. `ended_without_data`: it ended because there
 * was nothing to compare any more, so it has not recovered. `is_read`, `snoozed_until`: the person's own.
 */
export const Alert = Type.Object({
  id: Type.Integer(),
  rule: Type.Object({
    id: Type.Integer(),
    kind: OneOf(alertKinds),
    name: NullableText,
    metric: nullable(OneOf(alertMetrics)),
    period: nullable(OneOf(alertPeriods)),
    condition: nullable(OneOf(alertConditions)),
    against: nullable(OneOf(alertBases)),
    source_ids: ids,
    offer_ids: ids,
    stream_ids: ids,
    buyer_ids: ids,
    muted: Type.Boolean(),
  }),
  subject: Type.Object({ ...Named.properties, kind: OneOf(alertSubjects) }),
  value: Type.Number(),
  threshold: Type.Number(),
  base: nullable(Type.Number()),
  currencies: Type.Array(Type.String(), { maxItems: maxPayoutCurrencies }),
  began_at: DateTime,
  ended_at: NullableDateTime,
  ended_without_data: Type.Boolean(),
  is_read: Type.Boolean(),
  snoozed_until: NullableDateTime,
})
export type Alert = Static<typeof Alert>

const path = '/api/inbox/'

/** The newest first. `meta.unread` counts what is neither read nor snoozed. */
export const listInbox = call({
  id: 'inbox.list',
  summary: 'List your alerts of the last 90 days',
  method: 'GET',
  path,
  feature: 'alerts',
  guard: 'person',
  query: listQuery(['id', 'began_at', 'ended_at'], {
    id: Id,
    began_at: DateTime,
    ended_at: DateTime,
    is_open: Type.Boolean(),
    is_read: Type.Boolean(),
    rule_id: Id,
  }),
  answer: pageSchema(Alert, { unread: Type.Integer() }),
})

/** Without `ids` all alerts are read. Ids of other people's alerts change nothing. */
export const readInbox = call({
  id: 'inbox.read',
  summary: 'Mark your alerts as read',
  method: 'POST',
  path: `${path}read/`,
  feature: 'alerts',
  guard: 'person',
  body: Type.Object({ ids: Type.Optional(Type.Array(Id, { maxItems: maxPageSize })) }),
  answer: Type.Object({ unread: Type.Integer() }),
})

/** `tomorrow`: until 9 o'clock of the next day. `off` ends the snooze. */
export const alertSnoozes = ['hour', 'tomorrow', 'week', 'off'] as const
export type AlertSnooze = (typeof alertSnoozes)[number]

/**
 * Until then neither the end of the incident nor a further one about the same subject sends a message. The last snooze of a
 * subject replaces earlier ones. 404 for another person's.
 */
export const snoozeAlert = call({
  id: 'inbox.snooze',
  summary: 'Snooze one of your alerts for a time',
  method: 'PUT',
  path: `${path}:id/snooze/`,
  feature: 'alerts',
  guard: 'person',
  params: Type.Object({ id: Id }),
  body: Type.Object({ until: OneOf(alertSnoozes) }),
  answer: Type.Object({ id: Type.Integer(), snoozed_until: NullableDateTime }),
})

export const inboxCalls = [listInbox, readInbox, snoozeAlert]
