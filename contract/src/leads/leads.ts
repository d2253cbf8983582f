import { Type, type Static } from 'typebox'
import { call, FilePart } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { ImportAnswer, ImportKey } from '../lib/import.ts'
import { maxCode, maxHistoryShown, maxLeadsChanged, maxLine, maxText } from '../lib/limits.ts'
import { pageOf } from '../lib/page.ts'
import { reportColumns } from '../lib/report-columns.ts'
import { listQuery } from '../lib/resource.ts'

const time = Type.String({ format: 'date-time' })
const day = Type.String({ format: 'date' })
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/**
 * One order at a CPA source: unique by (source, external id). `word` is the source's own status word;
 * `by_word` whether the status follows the word's mapping, and not what an admin or a parcel said since.
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
  word: Type.String(),
  status_id: nullable(Type.Integer()),
  status: nullable(Named),
  by_word: Type.Boolean(),
  column: nullable(Type.String({ description: 'The report column that its status type is' })),
  payout: Type.Number(),
  currency: Type.String(),
  comment: nullable(Type.String()),
  subs: nullable(
    Type.Record(Type.String(), Type.String(), { description: 'sub1 to sub15 and click, as the source told' }),
  ),
  day,
  created_at: time,
  updated_at: time,
})
export type Lead = Static<typeof Lead>

/** One change of a lead, newest first; `origin` says which way it came in. */
const LeadChange = Type.Object({
  word: Type.String(),
  status: nullable(Named),
  payout: Type.Number(),
  origin: Type.String(),
  reason: nullable(Type.String()),
  source_time: time,
  recorded_at: time,
})
export const LeadWithHistory = Type.Object({
  ...Lead.properties,
  history: Type.Array(LeadChange, { maxItems: maxHistoryShown, description: 'Newest first' }),
  history_total: Type.Integer(),
})
export type LeadWithHistory = Static<typeof LeadWithHistory>

/** What `column` filters by: a report column, or `none` for leads whose state counts in none. */
export const leadColumns = [...reportColumns, 'none'] as const

/** Id 0 of an offer or a stream: leads without one. */
const idOrNone = Id

/** `word` matches whole, in any case; `search` the start of the external id. */
const query = listQuery(['id', 'external_id', 'created_at', 'updated_at', 'payout'], {
  source_id: Id,
  offer_id: idOrNone,
  stream_id: idOrNone,
  status_id: Id,
  external_id: Type.String({ maxLength: maxLine }),
  word: Type.String({ maxLength: maxCode }),
  column: Type.Union(leadColumns.map((each) => Type.Literal(each))),
  start_date: day,
  end_date: day,
})

export const listLeads = call({
  id: 'leads.list',
  summary: 'List leads',
  method: 'GET',
  path: '/api/admin/leads/',
  feature: 'leads',
  guard: 'admin',
  query,
  answer: pageOf(Lead),
})

export const getLead = call({
  id: 'leads.get',
  summary: 'One lead with its history',
  method: 'GET',
  path: '/api/admin/leads/:id',
  feature: 'leads',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: LeadWithHistory,
})

export const listOwnLeads = call({
  id: 'leads.own',
  summary: 'List the leads of own streams at the sources that own role may see',
  method: 'GET',
  path: '/api/user/leads/',
  feature: 'leads',
  guard: 'person',
  query,
  answer: pageOf(Lead),
})

export const getOwnLead = call({
  id: 'leads.get-own',
  summary: 'One lead of an own stream with its history',
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
  answer: pageOf(LeadChange),
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
  summary: 'List the history of a lead of an own stream',
  path: '/api/user/leads/:id/history/',
  feature: 'leads',
  guard: 'person',
  ...leadHistory,
})

/** A word that a source says and no status stands for yet, with the leads that wait for one. */
export const UnmappedWord = Type.Object({
  source_id: Type.Integer(),
  source: Named,
  word: Type.String(),
  leads: Type.Integer(),
})
export type UnmappedWord = Static<typeof UnmappedWord>

/** Words that differ in their case alone are one word; most leads first. */
export const listUnmapped = call({
  id: 'leads.unmapped',
  summary: 'List the words of sources that are mapped to no status',
  method: 'GET',
  path: '/api/admin/leads/unmapped/',
  feature: 'leads',
  guard: 'admin',
  query: listQuery(['word', 'leads'], { source_id: Id }),
  answer: pageOf(UnmappedWord),
})

const StateChange = Type.Object({
  ids: Type.Array(Id, { minItems: 1, maxItems: maxLeadsChanged }),
  status_id: Id,
  comment: Type.Optional(nullable(Type.String({ maxLength: maxText }))),
})
export type StateChange = Static<typeof StateChange>

/** `changed` counts the leads that were in another state. Ids that are no leads are left out. */
export const changeLeadStates = call({
  id: 'leads.state',
  summary: 'Bring leads into a state; it stands until their source tells a newer one',
  method: 'POST',
  path: '/api/admin/leads/state/',
  feature: 'leads',
  guard: 'admin',
  body: StateChange,
  answer: Type.Object({ changed: Type.Integer() }),
})

/** Multipart: `file` (csv or xlsx), `source_id`, and where its progress is asked for a `key` (a UUID). */
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
  listUnmapped,
  changeLeadStates,
  importLeads,
]
