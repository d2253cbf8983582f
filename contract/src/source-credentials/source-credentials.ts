import { reference, secret, text, time, token } from '../lib/field.ts'
import { resource, type CreateOf, type Resource, type RowOf, type UpdateOf } from '../lib/resource.ts'
import { SyncHealth } from '../lib/sync-health.ts'

const fields = {
  name: text('Name', { required: 'always', search: true }),
  login: text('Login', { search: true }),
  pass: secret('Password', { required: 'create', access: 'write' }),
  api_key: secret('API key'),
  token: token('Token'),
  token_updated_at: time('Token updated'),
  user_id: reference('User', 'users', { required: 'always' }),
  source_id: reference('Source', 'cpa-sources', { required: 'always' }),
}

type Row = RowOf<typeof fields> & { health: SyncHealth | null }

/**
 * A person's account at a network, and the state of its syncs. Its secrets are encrypted at rest; `pass`
 * never leaves the server.
 */
export const sourceCredentials: Resource<Row, CreateOf<typeof fields>, UpdateOf<typeof fields>> = resource({
  name: 'source-credentials',
  noun: { one: 'source credential', many: 'source credentials' },
  title: 'Source credentials',
  fields,
  columns: ['name', 'login', 'token', 'token_updated_at', 'user_id', 'source_id'],
  quirks: { paging: 'skip', firstOfItems: true },
  row: { health: SyncHealth },
}) as Resource<Row, CreateOf<typeof fields>, UpdateOf<typeof fields>>
