import { defineMessages } from '../../lib/i18n/messages.ts'

const actions: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  activate: 'Activated',
  deactivate: 'Deactivated',
  import: 'Imported',
  download: 'Downloaded',
  retry: 'Sent again',
  replay: 'Replayed',
  'rotate-postback-key': 'New postback key',
  'close-gap': 'Missing orders checked',
}

/** The visible names of resources, by their names on the wire. */
const resources: Readonly<Record<string, string>> = {
  users: 'User',
  roles: 'Role',
  'role-source-access': 'Role source access',
  'source-credentials': 'Source credential',
  'cpa-sources': 'Source',
  'cpa-websites': 'CPA credential',
  'status-types': 'Status type',
  statuses: 'Status',
  'source-statuses': 'Source status',
  offers: 'Offer',
  streams: 'Stream',
  'postback-templates': 'Postback template',
  connectors: 'Connector',
  'courier-accounts': 'Courier account',
  leads: 'Leads',
  parcels: 'Parcels',
  postbacks: 'Postback',
  'outgoing-postbacks': 'Outgoing postback',
  uploads: 'Upload',
  notices: 'Notice',
  profile: 'Own profile',
  sessions: 'Session',
}

export const auditTexts = defineMessages('audit', {
  title: 'Audit log',
  loadFailed: 'Failed to load the audit log. Please try again.',
  search: 'Search by username',
  detail: '{action}: {what}',
  byItself: 'Karvon',
  none: '—',
  actions,
  filters: {
    user: { label: 'Person', any: 'Everybody' },
    action: { label: 'Action', any: 'All actions' },
    resource: { label: 'Subject', any: 'All subjects' },
  },
  resources,
  columns: {
    at: 'Time',
    user: 'Person',
    action: 'Action',
    subject: 'Subject',
    change: 'Change',
    field: 'Field',
    before: 'Before',
    after: 'After',
  },
})
