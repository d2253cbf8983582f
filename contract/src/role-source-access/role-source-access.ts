import { reference } from '../lib/field.ts'
import { resource } from '../lib/resource.ts'

/** Which source a role may see: the same facts as a role's `sources`, one row each. */
export const roleSourceAccess = resource({
  name: 'role-source-access',
  noun: { one: 'role source access', many: 'role source access' },
  title: 'Role source access',
  fields: {
    role_id: reference('Role', 'roles', { required: 'always' }),
    source_id: reference('Source', 'cpa-sources', { required: 'always' }),
  },
  columns: ['role_id', 'source_id', 'created_at'],
  nameField: 'role_id',
})
