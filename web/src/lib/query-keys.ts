/**
 * The keys of all cached answers. A key starts with its domain, so that `invalidateQueries` on the start of a key
 * reloads everything below it.
 */
export const queryKeys = {
  me: (token: string) => ['me', token] as const,
  allMe: ['me'] as const,
  profile: ['profile'] as const,
  ownSessions: ['own-sessions'] as const,
  telegramLink: ['telegram-link'] as const,

  /** Resources, with their lists, rows and the options that selects offer. */
  resources: ['resource'] as const,
  resource: (name: string) => ['resource', name] as const,
  resourceLists: (name: string) => ['resource', name, 'list'] as const,
  resourceRow: (name: string, id: number | null) => ['resource', name, 'row', id] as const,
  resourceOptions: (name: string) => ['resource', name, 'options'] as const,
  fieldOptions: (name: string, field: string) => ['resource', name, 'field-options', field] as const,
  syncHealth: (name: string, id: number, previousRunId: number | null) =>
    ['resource', name, 'sync-health', id, previousRunId] as const,
  sourceCredentials: (sourceId: number | null) =>
    ['resource', 'source-credentials', 'by-source', sourceId] as const,
  syncRuns: ['sync-runs'] as const,

  leads: ['leads'] as const,
  leadList: (scope: string) => ['leads', scope, 'list'] as const,
  lead: (scope: string, id: string | undefined) => ['leads', scope, 'row', id] as const,
  unmappedStatuses: ['leads', 'unmapped', 'list'] as const,
  unmappedCount: ['leads', 'unmapped', 'count'] as const,

  parcels: ['parcels'] as const,
  parcelList: ['parcels', 'list'] as const,
  parcel: (key: string | undefined) => ['parcels', 'row', key] as const,
  parcelProblemCounts: ['parcels', 'problem-counts'] as const,
  orderPreviews: ['order-preview'] as const,
  orderPreview: (pickNumber: number) => ['order-preview', pickNumber] as const,

  explore: ['explore'] as const,
  reports: ['report'] as const,
  report: (scope: string, kind: string) => ['report', scope, kind] as const,
  reportOptions: (scope: string, kind: string) => ['report', scope, kind, 'options'] as const,

  /** The own money. */
  money: ['money'] as const,
  balance: ['money', 'balance'] as const,
  ownEntries: ['money', 'entries'] as const,
  ownWithdrawals: ['money', 'withdrawals'] as const,
  ownStatements: ['money', 'statements'] as const,
  ledger: ['ledger'] as const,
  ledgerAccounts: ['ledger', 'accounts'] as const,
  ledgerEntries: ['ledger', 'entries'] as const,
  withdrawals: ['withdrawals'] as const,
  approvedWithdrawals: ['withdrawals', 'approved'] as const,
  paymentRegistries: ['withdrawals', 'registries'] as const,
  payoutTerms: ['payout-terms'] as const,
  statements: ['statements'] as const,
  settlements: ['settlements'] as const,
  settlementActs: (scope: string) => ['settlements', scope, 'acts'] as const,
  settlementAct: (scope: string, id: string) => ['settlements', scope, 'act', id] as const,
  settlementLines: (scope: string, id: string) => ['settlements', scope, 'lines', id] as const,
  settlementDifferences: ['settlements', 'differences', 'list'] as const,
  settlementDifference: (id: number) => ['settlements', 'differences', 'row', id] as const,
  /** The inbox, its unread alerts and the rules. */
  alerts: ['alerts'] as const,
  inbox: ['alerts', 'inbox'] as const,
  unreadAlerts: ['alerts', 'unread'] as const,
  alertRules: ['alerts', 'rules'] as const,
  networkMoney: ['network-money', 'list'] as const,
  networkDifferences: (id: number) => ['network-money', 'differences', id] as const,

  audit: ['audit', 'list'] as const,
  sessions: ['sessions'] as const,
  postbacks: ['postbacks'] as const,
  outgoingPostbacks: ['outgoing-postbacks'] as const,
  uploads: ['uploads'] as const,
  notices: ['notices'] as const,

  savedViews: ['saved-views'] as const,
  screenViews: (screen: string) => ['saved-views', 'screen', screen] as const,
  defaultView: (screen: string) => ['saved-views', 'default', screen] as const,

  /** The older rows of a history. `call` is the id of the call that lists them. */
  history: (call: string, id: string | undefined) => ['history', call, id] as const,
  finder: (source: string, search: string) => ['finder', source, search] as const,
}

/** The type that every key fits. */
export type QueryKey = readonly unknown[]
