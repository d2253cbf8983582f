import { reference, text } from '../lib/field.ts'
import { resource } from '../lib/resource.ts'

/** A mapping of one or two source statuses to our status. */
export const sourceStatuses = resource({
  name: 'source-statuses',
  noun: { one: 'source status', many: 'source statuses' },
  title: 'Source statuses',
  fields: {
    name: text('Name', { need: 'save', search: true }),
    source_name: text('Source name', { need: 'save', search: true }),
    source_name2: text('Source name 2', { search: true }),
    status_id: reference('Status', 'statuses', { need: 'save' }),
    source_id: reference('Source', 'cpa-sources', { need: 'save' }),
  },
  columns: ['name', 'source_name', 'source_name2', 'status_id', 'source_id'],
  quirks: { update: 'POST', pageSize: 20, saveFailure: 'thrown' },
})
