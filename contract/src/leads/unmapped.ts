import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxCode } from '../lib/limits.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'

/** A source status without a mapping (`word`), and the number of its leads. */
export const UnmappedStatus = Type.Object({
  source_id: Type.Integer(),
  source: Named,
  word: Type.String(),
  leads: Type.Integer(),
})
export type UnmappedStatus = Static<typeof UnmappedStatus>

/**
 * Source statuses that differ only in letter case are one row. Those with the most leads come first. This call
 * has a file of its own, because the sidebar of every page of an admin makes it.
 */
export const listUnmappedStatuses = call({
  id: 'leads.unmapped',
  summary: 'List the source statuses that are not mapped to a status',
  method: 'GET',
  path: '/api/admin/leads/unmapped/',
  feature: 'leads',
  guard: 'admin',
  query: listQuery(['word', 'leads'], {
    source_id: Id,
    word: Type.String({ maxLength: maxCode }),
    leads: Id,
  }),
  answer: pageSchema(UnmappedStatus),
})
