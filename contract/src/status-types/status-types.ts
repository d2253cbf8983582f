import { flag, longText, text } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'

/** The fixed codes of the built-in types: each is a column of the reports. */
export const reportColumns = ['accepted', 'cancel', 'recall', 'send', 'sold', 'returned', 'hold'] as const

/** What kind of state a status is. `code` is there on built-in types only and never changes. */
export const statusTypes = resource({
  name: 'status-types',
  noun: { one: 'status type', many: 'status types' },
  title: 'Status types',
  fields: {
    name: text('Name', { need: 'save', search: true }),
    description: longText('Description'),
    is_active: flag('Active'),
    code: text('Code', { access: 'read' }),
  },
  columns: ['name', 'description', 'is_active'],
  quirks: { update: 'POST', pageSize: 20, saveFailure: 'thrown' },
})
