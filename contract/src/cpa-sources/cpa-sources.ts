import { Type } from 'typebox'
import { call } from '../lib/call.ts'
import { endpoint, flag, Id, longText, text } from '../lib/field.ts'
import { resource } from '../lib/resource.ts'

/** A CPA network. `postback_key` is the secret part of the address that it sends postbacks to. */
export const cpaSources = resource({
  name: 'cpa-sources',
  noun: { one: 'CPA source', many: 'CPA sources' },
  title: 'Sources',
  fields: {
    name: text('Name', { required: 'always', search: true }),
    url: endpoint('URL', { required: 'always', search: true }),
    description: longText('Description'),
    is_active: flag('Active'),
    postback_key: text('Postback key', { access: 'read', required: 'always' }),
  },
  columns: ['name', 'url', 'description', 'is_active'],
  quirks: { saveFailure: 'thrown' },
})

export const rotatePostbackKey = call({
  id: 'cpa-sources.rotate-postback-key',
  summary: 'Replace the postback key of a source; the old key is invalid at once',
  method: 'POST',
  path: '/api/admin/cpa-sources/:id/rotate-postback-key/',
  feature: 'leads',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: cpaSources.schemas.row,
})
