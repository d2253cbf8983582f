import { externalId, flag, reference, text, url } from '../lib/field.ts'
import { resource } from '../lib/resource.ts'

/** A media buyer's link to an offer; its leads are the earnings of the person who owns it. */
export const streams = resource({
  name: 'streams',
  noun: { one: 'stream', many: 'streams' },
  title: 'Streams',
  fields: {
    name: text('Name', { required: 'always', search: true }),
    url: url('URL', { required: 'always' }),
    offer_name: text('Offer name', { search: true }),
    offer_id: reference('Offer', 'offers'),
    extra_id: externalId('Extra id', { search: true }),
    source_id: reference('Source', 'cpa-sources', { required: 'always' }),
    user_id: reference('User', 'users', { required: 'always' }),
    is_active: flag('Active'),
  },
  columns: ['name', 'url', 'offer_name', 'source_id', 'user_id', 'is_active'],
  quirks: { searchBy: 'name', itemSlash: false, saveFailure: 'alert' },
})
