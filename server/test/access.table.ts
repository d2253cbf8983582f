import type { Guard } from '@karvon/contract/lib/call.ts'

/**
 * Who may call what. The table is written by hand, so that a test detects a wrong guard in a declaration. A call without
 * a row fails the tests. A method after an id is the second method of the same call.
 */
const anyone = [
  'app.settings',
  'app.healthz',
  'app.readyz',
  'app.metrics',
  'auth.login',
  'accounts.register',
  'accounts.forgot',
  'accounts.reset',
  'postbacks.receive',
  'postbacks.receive POST',
  'track.get',
]

const anyoneSignedIn = [
  'auth.me',
  'auth.logout',
  'auth.profile',
  'auth.profile.update',
  'auth.sessions',
  'auth.sessions.end',
  'auth.session.end',
  'auth.second-factor.begin',
  'auth.second-factor.confirm',
  'auth.second-factor.off',
  'auth.second-factor.recovery-codes',
  'leads.own',
  'leads.get-own',
  'leads.history-own',
  'imports.orders-template',
  'report.user.sources',
  'report.user.fin',
  'report.user.stats',
  'report.user.daily',
  'report.user.offers',
  'report.user.streams',
  'parcels.all',
  'parcels.search',
  'parcels.problems',
  'parcels.get',
  'parcels.history',
  'parcels.notes',
  'parcels.note',
  'uploads.upload',
  'uploads.preview',
  'notices.get',
  'notices.link',
  'notices.choose',
  'notices.unlink',
  'money.balance',
  'money.entries',
  'money.withdrawals',
  'money.withdraw',
  'money.withdrawal.cancel',
]

const admins = [
  'users.activate',
  'users.sessions.end',
  'sessions.list',
  'sessions.end',
  'auth.second-factor.remove',
  'users.deactivate',
  'cpa-sources.rotate-postback-key',
  'leads.list',
  'leads.get',
  'leads.history',
  'leads.unmapped',
  'leads.state',
  'leads.import',
  'imports.get',
  'imports.leads-template',
  'imports.parcels-template',
  'postbacks.list',
  'postbacks.replay',
  'report.admin.sources',
  'report.admin.fin',
  'report.admin.stats',
  'report.admin.daily',
  'report.admin.offers',
  'report.admin.streams',
  'parcels.import',
  'uploads.list',
  'uploads.retry',
  'uploads.file',
  'outgoing-postbacks.list',
  'outgoing-postbacks.retry',
  'sync-runs.list',
  'source-credentials.run',
  'source-credentials.close-gap',
  'courier-accounts.run',
  'cpa-websites.try',
  'notices.list',
  'notices.retry',
  'audit.list',
  'ledger.accounts',
  'ledger.entries',
  'ledger.adjust',
  'network-money.list',
  'network-money.differences',
  'payout-terms.list',
  'payout-terms.create',
  'payout-terms.delete',
  'withdrawals.list',
  'withdrawals.registry',
  'withdrawals.approve',
  'withdrawals.decline',
  'withdrawals.pay',
]

/** Resources that admins alone list, read, make, change and delete. */
const resourcesOfAdmins = [
  'users',
  'roles',
  'source-credentials',
  'cpa-sources',
  'cpa-websites',
  'role-source-access',
  'status-types',
  'statuses',
  'source-statuses',
  'offers',
  'streams',
  'postback-templates',
  'connectors',
  'courier-accounts',
]

const rows = (ids: readonly string[], who: Guard) => ids.map((id): [string, Guard] => [id, who])
const table: ReadonlyMap<string, Guard> = new Map([
  ...rows(anyone, 'public'),
  ...rows(anyoneSignedIn, 'person'),
  ...rows(admins, 'admin'),
])

/** Who may call the operation of that name; undefined where no row says. */
export function getGuard(name: string): Guard | undefined {
  const [, resource = ''] = /^([\w-]+)\.(?:list|get|create|update|delete)(?: PUT| POST)?$/.exec(name) ?? []
  return table.get(name) ?? (resourcesOfAdmins.includes(resource) ? 'admin' : undefined)
}

/** Every row of the table, a resource by its list. */
export const listedOperations: readonly string[] = [
  ...table.keys(),
  ...resourcesOfAdmins.map((resource) => `${resource}.list`),
]
