import { endpoint, flag, integer, reference, secret, text } from '../lib/field.ts'
import { maxSettlementDays } from '../lib/limits.ts'
import { resource, type CreateOf, type Resource, type RowOf, type UpdateOf } from '../lib/resource.ts'
import { SyncHealth } from '../lib/sync-health.ts'

const fields = {
  name: text('Name', { required: 'always', search: true }),
  url: endpoint('URL', { required: 'always' }),
  extra: text('Extra'),
  login: text('Login', { required: 'always', search: true }),
  pass: secret('Password', { required: 'create', access: 'write' }),
  user_id: reference('User', 'users', { required: 'always' }),
  settlement_days: integer('Settlement days', { max: maxSettlementDays, feature: 'settlements' }),
  is_active: flag('Active'),
}

/** Days after a delivery until its money is missing, for an account without `settlement_days`. */
export const defaultSettlementDays = 14

type Row = RowOf<typeof fields> & { health: SyncHealth | null }

/**
 * An account at the courier's MeaSoft. Its new orders belong to its user, and the others stay with the user who had it when it first
 * reported them. `settlement_days`: days after a delivery until its money is missing. The server never answers `pass`.
 */
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
