import { choice, endpoint, flag, reference, text } from '../lib/field.ts'
import { reportColumnNames } from '../lib/report-columns.ts'
import { resource } from '../lib/resource.ts'

/**
 * The macros that a URL may contain in braces after its host. Each is replaced by a value of the lead, encoded for a
 * URL. sub1 to sub15 and click are macros too.
 */
export const postbackMacros = [
  'status',
  'source_status',
  'payout',
  'currency',
  'lead_id',
  'offer_id',
  'offer_name',
  'stream_id',
  'date',
  'timestamp',
] as const

/** What a postback replaces in the URL of its template. */
export const macroPattern = /\{(\w+)\}/g

/** The URL of a tracker that gets the changes of leads of a stream: all changes, or those into one state. */
export const postbackTemplates = resource({
  name: 'postback-templates',
  feature: 'leads',
  noun: { one: 'postback template', many: 'postback templates' },
  title: 'Postback templates',
  fields: {
    name: text('Name', { required: 'always', search: true }),
    stream_id: reference('Stream', 'streams', { required: 'always' }),
    state: choice('State', reportColumnNames, { emptyLabel: 'Any change' }),
    url: endpoint('URL', { required: 'always' }),
    is_active: flag('Active'),
  },
  columns: ['name', 'stream_id', 'state', 'url', 'is_active'],
  quirks: { saveFailure: 'thrown' },
})
