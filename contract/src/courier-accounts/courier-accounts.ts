import { endpoint, flag, reference, secret, text } from '../lib/field.ts'
import { resource, type CreateOf, type Resource, type RowOf, type UpdateOf } from '../lib/resource.ts'
import { SyncHealth } from '../lib/sync-health.ts'

const fields = {
  name: text('Name', { need: 'save', search: true }),
  url: endpoint('URL', { need: 'save' }),
  extra: text('Extra'),
  login: text('Login', { need: 'save', search: true }),
  pass: secret('Password', { need: 'create', access: 'write' }),
  user_id: reference('User', 'users', { need: 'save' }),
  is_active: flag('Active'),
}

type Row = RowOf<typeof fields> & { health: SyncHealth | null }

/** An account at the courier's MeaSoft. Its parcels belong to its user. The server never answers `pass`. */
export const courierAccounts: Resource<Row, CreateOf<typeof fields>, UpdateOf<typeof fields>> = resource({
  name: 'courier-accounts',
  feature: 'fetching',
  noun: { one: 'courier account', many: 'courier accounts' },
  title: 'Courier accounts',
  fields,
  columns: ['name', 'url', 'login', 'user_id', 'is_active'],
  quirks: { saveFailure: 'thrown' },
  row: { health: SyncHealth },
}) as Resource<Row, CreateOf<typeof fields>, UpdateOf<typeof fields>>
