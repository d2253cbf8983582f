import { Type, type Static, type TArray, type TString } from 'typebox'
import { textDimensions, type TextDimension } from '../lib/lead-texts.ts'
import { call, FilePart } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { ImportAnswer, ImportKey } from '../lib/import.ts'
import {
  maxCode,
  maxExploreNames,
  maxHistoryShown,
  maxLeadsChanged,
  maxLine,
  maxText,
} from '../lib/limits.ts'
import { StoredCurrency, SignedMoney } from '../lib/money.ts'
import { pageSchema } from '../lib/page.ts'
import { reportColumns } from '../lib/report-columns.ts'
import { listQuery } from '../lib/resource.ts'
import {
  DateTime,
  Day,
  filterValues,
  NullableText,
  nullable,
  OneOf,
  TextFilterValues,
} from '../lib/schemas.ts'
import { listUnmappedStatuses } from './unmapped.ts'

/**
 * One order at a CPA source: unique by (source, external id). `source_status` is the status text of the source.
 * `is_status_overridden` is true after an admin or a parcel set `status`; otherwise the mapping sets it.
 */
export const Lead = Type.Object({
  id: Type.Integer(),
  external_id: Type.String(),
  source_id: Type.Integer(),
  source: Named,
  offer_id: nullable(Type.Integer()),
  offer: nullable(Named),
  stream_id: nullable(Type.Integer()),
  stream: nullable(Named),
  source_status: Type.String(),
  status_id: nullable(Type.Integer()),
  status: nullable(Named),
  is_status_overridden: Type.Boolean(),
  column: nullable(Type.String({ description: 'The report column of the status type' })),
  payout: Type.Number(),
  currency: Type.String(),
  comment: NullableText,
  subs: nullable(
    Type.Record(Type.String(), Type.String(), {
      description: 'sub1 to sub15 and click, as the source reported',
    }),
  ),
  region: NullableText,
  cancel_reason: NullableText,
  day: Day,
  created_at: DateTime,
  updated_at: DateTime,
})
export type Lead = Static<typeof Lead>

/** One change of a lead; `origin` is what changed it. `currency` is null for changes that older versions stored. */
const LeadChange = Type.Object({
  source_status: Type.String(),
  status: nullable(Named),
  payout: Type.Number(),
  currency: NullableText,
  origin: Type.String(),
  reason: NullableText,
  source_time: DateTime,
  recorded_at: DateTime,
})
export const LeadWithHistory = Type.Object({
  ...Lead.properties,
  history: Type.Array(LeadChange, { maxItems: maxHistoryShown, description: 'Newest first' }),
  history_total: Type.Integer(),
})
export type LeadWithHistory = Static<typeof LeadWithHistory>

/** Values of the filter `column`: a report column, or `none` for leads whose status is in no column. */
export const leadColumnFilters = [...reportColumns, 'none'] as const

/** Id 0 finds leads without an offer, a stream, a buyer or a status. */
const Ids = filterValues(Id)

/**
 * The filters that the figures of Explore link to. A weekday is 1 for Monday, and an hour is in the time zone of the installation.
 * `without` names texts, with commas: leads without one are among those that the filter by this text finds.
 */
const exploreFilters = {
  buyer_id: Ids,
  weekday: filterValues(Type.Integer({ minimum: 1, maximum: 7 })),
  hour: filterValues(Type.Integer({ minimum: 0, maximum: 23 })),
  ...(Object.fromEntries(textDimensions.map((name) => [name, TextFilterValues])) as Record<
    TextDimension,
    TArray<TString>
  >),
  without: Type.String({ maxLength: maxExploreNames }),
}

/** `source_status` matches the whole text in any letter case; `search` matches the start of the external id. */
const query = listQuery(['id', 'external_id', 'created_at', 'updated_at', 'payout'], {
  id: Id,
  created_at: DateTime,
  updated_at: DateTime,
  day: Day,
  payout: SignedMoney,
  currency: StoredCurrency,
  is_status_overridden: Type.Boolean(),
  source_id: Ids,
  offer_id: Ids,
  stream_id: Ids,
  status_id: Ids,
  external_id: Type.String({ maxLength: maxLine }),
  source_status: Type.String({ maxLength: maxCode }),
  column: OneOf(leadColumnFilters),
  start_date: Day,
  end_date: Day,
  ...exploreFilters,
})

export const listLeads = call({
  id: 'leads.list',
  summary: 'List leads',
  method: 'GET',
  path: '/api/admin/leads/',
  feature: 'leads',
  guard: 'admin',
  query,
  answer: pageSchema(Lead),
})

export const getLead = call({
  id: 'leads.get',
  summary: 'Read a lead with its history',
  method: 'GET',
  path: '/api/admin/leads/:id',
  feature: 'leads',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: LeadWithHistory,
})

export const listOwnLeads = call({
  id: 'leads.own',
  summary: 'List the leads of your streams at the sources that your role may see',
  method: 'GET',
  path: '/api/user/leads/',
  feature: 'leads',
  guard: 'person',
  query,
  answer: pageSchema(Lead),
})

export const getOwnLead = call({
  id: 'leads.get-own',
  summary: 'Read a lead of one of your streams with its history',
  method: 'GET',
  path: '/api/user/leads/:id/',
  feature: 'leads',
  guard: 'person',
  params: Type.Object({ id: Id }),
  answer: LeadWithHistory,
})

const leadHistory = {
  method: 'GET',
  params: Type.Object({ id: Id }),
  query: listQuery(['recorded_at']),
  answer: pageSchema(LeadChange),
} as const

export const listLeadChanges = call({
  id: 'leads.history',
  summary: 'List the history of a lead',
  path: '/api/admin/leads/:id/history/',
  feature: 'leads',
  guard: 'admin',
  ...leadHistory,
})

export const listOwnLeadChanges = call({
  id: 'leads.history-own',
  summary: 'List the history of a lead of one of your streams',
  path: '/api/user/leads/:id/history/',
  feature: 'leads',
  guard: 'person',
  ...leadHistory,
})

const LeadStatusChange = Type.Object({
  ids: Type.Array(Id, { minItems: 1, maxItems: maxLeadsChanged }),
  status_id: Id,
  comment: Type.Optional(nullable(Type.String({ maxLength: maxText }))),
})
export type LeadStatusChange = Static<typeof LeadStatusChange>

/** `changed` is the number of leads that had another status. Unknown ids are ignored. */
export const setLeadStatus = call({
  id: 'leads.state',
  summary: 'Set the status of leads; it stays until their source reports another source status',
  method: 'POST',
  path: '/api/admin/leads/state/',
  feature: 'leads',
  guard: 'admin',
  body: LeadStatusChange,
  answer: Type.Object({ changed: Type.Integer() }),
})

/** Multipart: `file` (csv or xlsx), `source_id`, and an optional `key` (a UUID) to read the progress. */
export const importLeads = call({
  id: 'leads.import',
  summary: 'Import leads from a csv or xlsx file',
  method: 'POST',
  path: '/api/admin/leads/import/',
  repeat: 'again',
  feature: 'imports',
  guard: 'admin',
  consumes: 'multipart',
  form: Type.Object({ file: FilePart, source_id: Id, key: Type.Optional(ImportKey) }),
  answer: ImportAnswer,
})

export const leadCalls = [
  listLeads,
  getLead,
  listOwnLeads,
  getOwnLead,
  listLeadChanges,
  listOwnLeadChanges,
  listUnmappedStatuses,
  setLeadStatus,
  importLeads,
]
