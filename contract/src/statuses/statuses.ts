import { Type, type Static } from 'typebox'
import { flag, reference, text } from '../lib/field.ts'
import { resource, type CreateOf, type Resource, type RowOf, type UpdateOf } from '../lib/resource.ts'
import { nullable } from '../lib/schemas.ts'

/** How many leads of a status are in the report column of its type already, and how many leads the status has. */
const StatusRecount = Type.Object(
  { recounted: Type.Integer(), leads: Type.Integer() },
  { description: 'After a change of the type, while the leads are being moved; else null' },
)
export type StatusRecount = Static<typeof StatusRecount>

const fields = {
  name: text('Name', { required: 'always', search: true }),
  type_id: reference('Type', 'status-types', { required: 'always' }),
  is_active: flag('Active'),
}

type Row = RowOf<typeof fields> & { recount: StatusRecount | null }

/** Our status of a lead or an offer. */
export const statuses: Resource<Row, CreateOf<typeof fields>, UpdateOf<typeof fields>> = resource({
  name: 'statuses',
  noun: { one: 'status', many: 'statuses' },
  title: 'Statuses',
  fields,
  columns: ['name', 'type_id', 'is_active'],
  quirks: { update: 'POST', pageSize: 20, saveFailure: 'thrown' },
  row: { recount: nullable(StatusRecount) },
}) as Resource<Row, CreateOf<typeof fields>, UpdateOf<typeof fields>>
