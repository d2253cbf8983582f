import { listInbox } from './alerts/inbox.ts'
import { listAlertRules } from './alerts/rules.ts'
import { listAudit } from './audit/audit.ts'
import { connectors } from './connectors/connectors.ts'
import { courierAccounts } from './courier-accounts/courier-accounts.ts'
import { courierTariffs } from './courier-tariffs/courier-tariffs.ts'
import { cpaSources } from './cpa-sources/cpa-sources.ts'
import { cpaWebsites } from './cpa-websites/cpa-websites.ts'
import { listLeads, listOwnLeads } from './leads/leads.ts'
import { listUnmappedStatuses } from './leads/unmapped.ts'
import { listLedgerAccounts, listLedgerEntries } from './ledger/ledger.ts'
import type { Call } from './lib/call.ts'
import { resourceCalls } from './lib/resource-calls.ts'
import type { Resource } from './lib/resource.ts'
import { listNetworkMoney } from './network-money/network-money.ts'
import { listNotices } from './notices/notices.ts'
import { offers } from './offers/offers.ts'
import { listOutgoingPostbacks } from './outgoing-postbacks/outgoing-postbacks.ts'
import { listParcels } from './parcels/parcels.ts'
import { listPayoutTerms } from './payouts/payout-terms.ts'
import { listPaymentRegistries } from './payouts/payment-registries.ts'
import { listOwnWithdrawals, listWithdrawals } from './payouts/payouts.ts'
import { listOwnEntries, listOwnStatements, listStatements } from './payouts/statements.ts'
import { postbackTemplates } from './postback-templates/postback-templates.ts'
import { listPostbacks } from './postbacks/postbacks.ts'
import { reportCall, type ReportKind } from './reports/reports.ts'
import { roleSourceAccess } from './role-source-access/role-source-access.ts'
import { roles } from './roles/roles.ts'
import { listSessions } from './sessions/sessions.ts'
import { differenceDefaults, listSettlementDifferences } from './settlements/differences.ts'
import { listOwnSettlements, listSettlements } from './settlements/settlements.ts'
import { sourceCredentials } from './source-credentials/source-credentials.ts'
import { sourceStatuses } from './source-statuses/source-statuses.ts'
import { statusTypes } from './status-types/status-types.ts'
import { statuses } from './statuses/statuses.ts'
import { streams } from './streams/streams.ts'
import { listUploads } from './uploads/uploads.ts'
import { users } from './users/users.ts'

/**
 * A screen of the web with a list that can be exported.
 *
 * - `admin`, `person`: the call of the list for admins and for other people. Without it they do not have the screen.
 * - `columns`: the columns of the export that a message shows.
 * - `searchKey`: the parameter of the search box.
 * - `defaults`: the filters of an address without them.
 * - `unsendable`: keys of the address that show something else on the screen.
 */
export interface ViewScreen {
  readonly admin?: Call
  readonly person?: Call
  readonly columns: readonly string[]
  readonly searchKey?: string
  readonly defaults?: Readonly<Record<string, string>>
  readonly unsendable?: readonly string[]
}

const forAdmins = (admin: Call, columns: readonly string[]): ViewScreen => ({ admin, columns })
const forAll = (call: Call, columns: readonly string[]): ViewScreen => ({
  admin: call,
  person: call,
  columns,
})

const ofResource = (resource: Resource, columns: readonly string[] = [resource.nameField]): ViewScreen => ({
  admin: resourceCalls(resource).list,
  columns,
  searchKey: resource.quirks.searchBy,
})

const buildReportScreen = (kind: ReportKind, name: string): ViewScreen => ({
  admin: reportCall('admin', kind),
  person: reportCall('user', kind),
  columns: [name, 'leads', 'sold', 'profit'],
})

const withdrawals = ['requested_at', 'amount', 'currency', 'status']
const statements = ['start_date', 'end_date', 'closing', 'currency']
const acts = ['number', 'act_date', 'due', 'currency']

/** By the path with its tab, as `getViewScreen` gives it. Explore is none of them. */
export const viewScreens: Readonly<Record<string, ViewScreen>> = {
  '/parcels': {
    ...forAll(listParcels, ['orderno', 'status_title', 'receiver_town', 'cod_amount']),
    searchKey: 'orderno',
  },
  '/leads': {
    admin: listLeads,
    person: listOwnLeads,
    columns: ['external_id', 'offer', 'status', 'payout'],
  },
  '/leads?tab=unmapped': forAdmins(listUnmappedStatuses, ['source', 'word', 'leads']),
  '/leads?tab=postbacks': forAdmins(listPostbacks, ['at', 'source', 'outcome']),
  '/leads?tab=outgoing': forAdmins(listOutgoingPostbacks, ['created_at', 'template', 'status']),
  '/leads?tab=templates': ofResource(postbackTemplates),
  '/statistics': buildReportScreen('daily', 'date'),
  '/statistics?tab=offers': buildReportScreen('offers', 'name'),
  '/statistics?tab=streams': buildReportScreen('streams', 'name'),
  '/statistics?tab=money': forAdmins(listNetworkMoney, ['name', 'source', 'balance', 'difference']),
  '/settlements': forAdmins(listWithdrawals, ['user', ...withdrawals]),
  '/settlements?tab=registries': forAdmins(listPaymentRegistries, [
    'created_at',
    'payments',
    'amount',
    'currency',
  ]),
  '/settlements?tab=accounts': {
    ...forAdmins(listLedgerAccounts, ['name', 'kind', 'balance', 'currency']),
    // The balances of a past day do not change.
    unsendable: ['at'],
  },
  '/settlements?tab=entries': forAdmins(listLedgerEntries, ['created_at', 'name', 'amount', 'currency']),
  '/settlements?tab=statements': forAdmins(listStatements, ['user', ...statements]),
  '/settlements?tab=acts': { ...forAdmins(listSettlements, acts), unsendable: ['act_id'] },
  '/settlements?tab=differences': {
    ...forAdmins(listSettlementDifferences, ['orderno', 'kind', 'difference', 'currency']),
    defaults: differenceDefaults,
  },
  '/settlements?tab=tariffs': ofResource(courierTariffs),
  '/settlements?tab=terms': forAdmins(listPayoutTerms, ['user', 'offer', 'valid_from']),
  '/money?tab=history': forAll(listOwnEntries, ['created_at', 'amount', 'currency', 'cause_type']),
  '/money?tab=withdrawals': forAll(listOwnWithdrawals, withdrawals),
  '/money?tab=statements': forAll(listOwnStatements, statements),
  '/money?tab=acts': { ...forAll(listOwnSettlements, acts), unsendable: ['act_id'] },
  '/alerts': forAll(listInbox, ['began_at', 'subject_name', 'rule_name']),
  '/alerts?tab=rules': forAll(listAlertRules, ['name', 'kind', 'open']),
  '/uploads': forAdmins(listUploads, ['name', 'user', 'status', 'created_at']),
  '/uploads?tab=notices': forAdmins(listNotices, ['created_at', 'user', 'kind', 'status']),
  '/sessions': forAdmins(listSessions, ['username', 'last_used_at', 'address']),
  '/audit': forAdmins(listAudit, ['at', 'user_username', 'action', 'resource']),
  '/offers': ofResource(offers),
  '/streams': ofResource(streams),
  '/users': ofResource(users),
  '/users?tab=roles': ofResource(roles),
  '/users?tab=roles&view=access': ofResource(roleSourceAccess, ['role', 'source']),
  '/users?tab=source-credentials': ofResource(sourceCredentials),
  '/settings/cpa-websites': ofResource(cpaSources),
  '/settings/cpa-websites?tab=credentials': ofResource(cpaWebsites),
  '/settings/cpa-websites?tab=connectors': ofResource(connectors),
  '/settings/statuses': ofResource(statusTypes),
  '/settings/statuses?tab=statuses': ofResource(statuses),
  '/settings/statuses?tab=source-statuses': ofResource(sourceStatuses),
  '/settings/courier': ofResource(courierAccounts),
}
