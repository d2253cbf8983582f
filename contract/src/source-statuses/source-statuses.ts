import { reference, text } from '../lib/field.ts'
import { resource } from '../lib/resource.ts'

/** A mapping of one or two source statuses to our status. */
export const sourceStatuses = resource({
  name: 'source-statuses',
  noun: { one: 'source status', many: 'source statuses' },
  title: 'Source statuses',
  fields: {
    name: text('Name', { required: 'always', search: true }),
    source_name: text('Source name', { required: 'always', search: true }),
    source_name2: text('Source name 2', { search: true }),
    status_id: reference('Status', 'statuses', { required: 'always' }),
    source_id: reference('Source', 'cpa-sources', { required: 'always' }),
  },
  columns: ['name', 'source_name', 'source_name2', 'status_id', 'source_id'],
  quirks: { update: 'POST', pageSize: 20, saveFailure: 'thrown' },
})
