import { Type } from 'typebox'
import { longText, references, text } from '../lib/field.ts'
import { maxCode, maxReferences } from '../lib/limits.ts'
import { resource, type CreateOf, type Resource, type RowOf, type UpdateOf } from '../lib/resource.ts'

const fields = {
  name: text('Name', { required: 'always', search: true }),
  code: text('Code', { required: 'always', search: true, max: maxCode }),
  description: longText('Description'),
  type: text('Type', { max: maxCode }),
  source_ids: references('Sources', 'cpa-sources'),
}

/** A source that a role may see; `id` is the source's, as the specification's web also accepts. */
export type RoleSource = { id: number; source_id: number; name: string }
const RoleSource = Type.Object({ id: Type.Integer(), source_id: Type.Integer(), name: Type.String() })

type Row = RowOf<typeof fields> & { sources: RoleSource[] }

/** The code `admin` is the role of admins. Every other code is a role of regular people. */
export const roles: Resource<Row, CreateOf<typeof fields>, UpdateOf<typeof fields>> = resource({
  name: 'roles',
  noun: { one: 'role', many: 'roles' },
  title: 'Roles',
  fields,
  columns: ['name', 'code', 'description', 'created_at'],
  quirks: { itemSlash: false },
  row: { sources: Type.Array(RoleSource, { maxItems: maxReferences }) },
}) as Resource<Row, CreateOf<typeof fields>, UpdateOf<typeof fields>>
