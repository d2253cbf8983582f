import { flag, longText, text } from '../lib/field.ts'
import { resource } from '../lib/resource.ts'

/** The type of a status. Only built-in types have a `code`; it never changes. */
export const statusTypes = resource({
  name: 'status-types',
  noun: { one: 'status type', many: 'status types' },
  title: 'Status types',
  fields: {
    name: text('Name', { required: 'always', search: true }),
    description: longText('Description'),
    is_active: flag('Active'),
    code: text('Code', { access: 'read' }),
  },
  columns: ['name', 'description', 'is_active'],
  quirks: { update: 'POST', pageSize: 20, saveFailure: 'thrown' },
})
