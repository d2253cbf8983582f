import { flag, json, text } from '../lib/field.ts'
import { maxCode } from '../lib/limits.ts'
import { resource } from '../lib/resource.ts'
import type { ConnectorDescription } from './description.ts'

const example: ConnectorDescription = {
  base_url: 'https://network.example/api',
  sign_in: { url: '/login', body: { email: '{login}', password: '{pass}' }, token: 'token' },
  headers: { Authorization: 'Bearer {token}' },
  orders: {
    url: '/orders',
    items: 'data',
    paging: { by: 'page', param: 'page', last: 'meta.last_page' },
    fields: { external_id: 'id', status: 'status', created_at: 'created_at', payout: 'payout' },
  },
}

/**
 * The description of a network: its sign-in, the addresses of its lists and the names of its fields. Built-in connectors
 * come with the product and cannot be changed. See description.ts for the shape.
 */
export const connectors = resource({
  name: 'connectors',
  feature: 'fetching',
  noun: { one: 'connector', many: 'connectors' },
  title: 'Connectors',
  fields: {
    code: text('Code', { required: 'always', search: true, max: maxCode }),
    name: text('Name', { required: 'always', search: true }),
    description: json('Description', { required: 'always', example }),
    is_builtin: flag('Built in', { access: 'read', fallback: false }),
  },
  columns: ['code', 'name', 'is_builtin'],
  quirks: { saveFailure: 'thrown' },
})
