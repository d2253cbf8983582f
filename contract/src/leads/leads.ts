import { Type, type Static } from 'typebox'
import { call } from '../kit/call.ts'
import { Id, Named } from '../kit/field.ts'
import { ImportAnswer } from '../kit/import.ts'
import { pageOf } from '../kit/page.ts'
import { listQuery } from '../kit/resource.ts'

const time = Type.String({ format: 'date-time' })
const day = Type.String({ format: 'date' })
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** One order at a CPA source: unique by (source, external id). `word` is the source's own status word. */
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
  column: nullable(Type.String({ description: 'The report column that its status type is' })),
  payout: Type.Number(),
  currency: Type.String(),
  comment: nullable(Type.String()),
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
export const LeadWithHistory = Type.Object({ ...Lead.properties, history: Type.Array(LeadChange) })
export type LeadWithHistory = Static<typeof LeadWithHistory>

const query = listQuery(['id', 'external_id', 'created_at', 'updated_at', 'payout'], {
  source_id: Type.Integer(),
  offer_id: Type.Integer(),
  stream_id: Type.Integer(),
  status_id: Type.Integer(),
  external_id: Type.String({ maxLength: 255 }),
  column: Type.String({ maxLength: 20 }),
  start_date: day,
  end_date: day,
})

export const listLeads = call({
  id: 'leads.list',
  summary: 'List leads',
  method: 'GET',
  path: '/api/admin/leads/',
  guard: 'admin',
  query,
  answer: pageOf(Lead),
})

export const getLead = call({
  id: 'leads.get',
  summary: 'One lead with its history',
  method: 'GET',
  path: '/api/admin/leads/:id',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: LeadWithHistory,
})

export const listOwnLeads = call({
  id: 'leads.own',
  summary: 'List the leads of own streams at the sources that own role may see',
  method: 'GET',
  path: '/api/user/leads/',
  guard: 'person',
  query,
  answer: pageOf(Lead),
})

/** Multipart: `file` (csv or xlsx) and `source_id`. */
export const importLeads = call({
  id: 'leads.import',
  summary: 'Import leads from a csv or xlsx file',
  method: 'POST',
  path: '/api/admin/leads/import/',
  guard: 'admin',
  consumes: 'multipart',
  answer: ImportAnswer,
})

export const leadCalls = [listLeads, getLead, listOwnLeads, importLeads]
