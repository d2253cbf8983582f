import { flag, reference, text } from '../lib/field.ts'
import { resource } from '../lib/resource.ts'

/** Our status of a lead or an offer. */
export const statuses = resource({
  name: 'statuses',
  noun: { one: 'status', many: 'statuses' },
  title: 'Statuses',
  fields: {
    name: text('Name', { need: 'save', search: true }),
    type_id: reference('Type', 'status-types', { need: 'save' }),
    is_active: flag('Active'),
  },
  columns: ['name', 'type_id', 'is_active'],
  quirks: { update: 'POST', pageSize: 20, saveFailure: 'thrown' },
})
