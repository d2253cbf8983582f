import { choice, endpoint, flag, reference, text } from '../lib/field.ts'
import { reportColumnNames } from '../lib/report-columns.ts'
import { resource } from '../lib/resource.ts'

/**
 * What a URL may hold in braces after its host; each is replaced by the lead's value, encoded for a URL.
 * Beside these: sub1 to sub15 and click, as the source told them.
 */
export const postbackMacros = [
  'status',
  'word',
  'payout',
  'currency',
  'lead_id',
  'offer_id',
  'offer_name',
  'stream_id',
  'date',
  'timestamp',
] as const

/** A media buyer's tracker to tell of a stream's leads, when they come into a state or at any change. */
export const postbackTemplates = resource({
  name: 'postback-templates',
  feature: 'leads',
  noun: { one: 'postback template', many: 'postback templates' },
  title: 'Postback templates',
  fields: {
    name: text('Name', { need: 'save', search: true }),
    stream_id: reference('Stream', 'streams', { need: 'save' }),
    state: choice('State', reportColumnNames, { unchosen: 'Any change' }),
    url: endpoint('URL', { need: 'save' }),
    is_active: flag('Active'),
  },
  columns: ['name', 'stream_id', 'state', 'url', 'is_active'],
  quirks: { saveFailure: 'thrown' },
})
