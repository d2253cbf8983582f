import { reference, secret, text, time } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'

/** A person's account at a network. Its secrets are encrypted at rest; `pass` never leaves the server. */
export const sourceCredentials = resource({
  name: 'source-credentials',
  noun: { one: 'source credential', many: 'source credentials' },
  title: 'Source credentials',
  fields: {
    name: text('Name', { need: 'save', search: true }),
    login: text('Login', { search: true }),
    pass: secret('Password', { need: 'create', access: 'write' }),
    api_key: secret('API key'),
    token: secret('Token'),
    token_updated_at: time('Token updated'),
    user_id: reference('User', 'users', { need: 'save' }),
    source_id: reference('Source', 'cpa-sources', { need: 'save' }),
  },
  columns: ['name', 'login', 'token', 'token_updated_at', 'user_id', 'source_id'],
  quirks: { paging: 'skip', firstOfItems: true },
})
